import { randomFillSync } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** Four parts, the last one not full. */
const sampleBytes = 25 * 1024 ** 2;

/** Creates an incompressible file of 26 MB, and adds a photo. */
export async function sampleFiles(): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-quickstart-'));
  const path = join(directory, 'sample.bin');
  await writeFile(path, randomFillSync(new Uint8Array(sampleBytes)));
  return [path, fileURLToPath(new URL('photo.jpg', import.meta.url))];
}
