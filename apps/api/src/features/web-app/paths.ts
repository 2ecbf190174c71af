/** What a path means to the server of the app's files. */
export type WebAppPath =
  | 'file'
  /** A page of the app, for its router. */
  | 'page'
  /** The page that a share link opens, which has a document of its own. */
  | 'share'
  /** A path of the API, which only the API may handle. */
  | 'none';

/** The paths that the API handles itself. */
const ownBranches = new Set(['api', 's', 'health', 'docs', 'openapi.json', 'mcp']);

/** Classifies a path. Pure: it doesn't look at files. */
export function webAppPathOf(path: string): WebAppPath {
  if (/^\/_app\/\w[\w.-]*$/.test(path)) return 'file';
  const [, branch = ''] = path.split('/', 2);
  if (branch === '_app' || ownBranches.has(branch.toLowerCase())) return 'none';
  if (path === '/share') return 'share';
  return /^\/\w[\w-]*(\.\w+)+$/.test(path) ? 'file' : 'page';
}
