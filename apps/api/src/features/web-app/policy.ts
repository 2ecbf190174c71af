/**
 * The content security policy of the app: its own scripts, styles and fonts from its own origin, files
 * from the storage, and nothing else.
 *
 * @param storageUrl - the storage as browsers reach it
 */
export function contentSecurityPolicy(storageUrl: string): string {
  const storage = new URL(storageUrl).origin;
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `font-src 'self'`,
    `connect-src 'self' ${storage}`,
    // `blob:` is a picture that somebody has chosen and not sent yet.
    `img-src 'self' ${storage} blob:`,
    `media-src 'self' ${storage} blob:`,
    `base-uri 'none'`,
    // Forms are sent by script; the sign-in by a provider starts with a link.
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
