import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '..', '..', '..');
const api = join(repository, 'apps', 'api');

/** The entry of the sources. */
export const apiSources = join(api, 'src', 'main.ts');

let building: Promise<unknown> | null = null;

/** Builds the API as the image has it, once in a run. @throws Error with the output of the build */
export async function builtApi(): Promise<string> {
  await (building ??= run(join(repository, 'node_modules', '.bin', 'tsdown'), { cwd: api }));
  return join(api, 'dist', 'main.js');
}
