import { join } from 'node:path';

/** The folder of this package. The sources lie one below it, and so does what is built of them. */
export const packageDir = join(import.meta.dirname, '..');
