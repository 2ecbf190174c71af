import { join } from 'node:path';

/** The directory of this package. Sources and build output are one level below it. */
export const packageDir = join(import.meta.dirname, '..');
