import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Source of the router, which can't be imported without a browser. */
const router = readFileSync(join(import.meta.dirname, '../../src/router.tsx'), 'utf8');

/** The pages of the app, such as `/projects/$id`, and the page beside it. */
export const routerPages = [...router.matchAll(/path: '([^']+)'/g)]
  .map(([, path = '']) => path)
  .concat('/share');
