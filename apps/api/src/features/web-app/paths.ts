/** What a path means to the server of the app's files. */
export type WebAppPath =
  | 'file'
  /** One of the app's own pages: its router knows which. */
  | 'page'
  /** Of the API, where nothing else may answer. */
  | 'none';

/** Where the API answers for itself. */
const ownBranches = new Set(['api', 's', 'health', 'docs', 'openapi.json']);

/** Pure; knows nothing of which files there are. */
export function webAppPathOf(path: string): WebAppPath {
  if (/^\/_app\/\w[\w.-]*$/.test(path)) return 'file';
  const [, branch = ''] = path.split('/', 2);
  if (branch === '_app' || ownBranches.has(branch.toLowerCase())) return 'none';
  return /^\/\w[\w-]*(\.\w+)+$/.test(path) ? 'file' : 'page';
}
