import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** More than the buffers of a connection hold. */
const bigFileBytes = 40_000_000;

/** Its path, in an API whose `WEB_APP_DIR` has it. */
export const bigFilePath = '/_app/big.js';

/** Creates a directory for `WEB_APP_DIR` with a file that takes many writes to send. The caller removes it. */
export async function directoryWithBigFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-big-file-'));
  await mkdir(join(directory, '_app'));
  await writeFile(join(directory, bigFilePath), Buffer.alloc(bigFileBytes, 'x'));
  return directory;
}
