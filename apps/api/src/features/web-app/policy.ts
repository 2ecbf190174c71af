/**
 * Builds the content security policy of the app: its own scripts, styles and fonts from its own origin, files
 * from the storage, and nothing else.
 *
 * @param storageUrl - the storage as browsers reach it
 */
export function contentSecurityPolicy(storageUrl: string): string {
  const storage = new URL(storageUrl).origin;
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `worker-src 'self'`,
    `style-src 'self'`,
    `font-src 'self'`,
    `connect-src 'self' ${storage}`,
    // `blob:` shows a chosen picture before its upload.
    `img-src 'self' ${storage} blob:`,
    `media-src 'self' ${storage} blob:`,
    `base-uri 'none'`,
    // Scripts submit all forms; the sign-in by a provider starts with a link.
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
