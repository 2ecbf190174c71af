/** The paths that the API handles itself, when it serves the app. */
const apiBranches = new Set(['api', 's', 'health', 'docs', 'openapi.json', 'mcp']);

/** The page that a share link opens has scripts of its own. */
const visitorPage = '/share';

/** Tells whether a path is a page of the app, rather than a file or a path of the API. */
export function isPage(path: string): boolean {
  if (path === visitorPage) return false;
  const [, branch = ''] = path.split('/', 2);
  if (branch === '_app' || apiBranches.has(branch.toLowerCase())) return false;
  return !/^\/\w[\w-]*(\.\w+)+$/.test(path);
}
