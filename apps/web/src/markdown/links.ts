/** Where a link leads: a page of the app, or another address. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly path: string; readonly href: string }
  | { readonly kind: 'other'; readonly href: string };

const protocols = ['http:', 'https:', 'mailto:'];
/**
 * Paths of the origin that are not pages of the app. The worker has a list of its own: what both import would become
 * a third file, and scripts of workers import none.
 */
const notPages = /^\/(?:(?:api|s|health|docs|_app)(?:\/|$)|share$|\w[\w-]*(?:\.\w+)+$)/i;

/** Returns the target of a link; undefined for anything but web and email addresses. */
export function linkTarget(url: string, origin: string): LinkTarget | undefined {
  if (!URL.canParse(url, origin)) return undefined;
  const { protocol, origin: target, pathname, search, hash, href } = new URL(url, origin);
  if (!protocols.includes(protocol)) return undefined;
  if (target !== origin || notPages.test(pathname)) return { kind: 'other', href };
  return { kind: 'page', path: `${pathname}${search}${hash}`, href };
}
