import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openApiDocument } from './openapi/document.ts';
import { schemasEntry } from './schemas-entry.ts';
import { toolsDocument } from './tools/document.ts';

const directory = join(import.meta.dirname, '..');
const openApi = openApiDocument();
const files = {
  'openapi.json': `${JSON.stringify(openApi, null, 1)}\n`,
  'tools.json': `${JSON.stringify(toolsDocument(openApi), null, 1)}\n`,
  'src/generated/schemas.ts': await schemasEntry(join(directory, 'src')),
};

// Writes the files that are committed; with --check, only compares.
for (const [name, text] of Object.entries(files)) {
  const file = join(directory, name);
  if (!process.argv.includes('--check')) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} differs from the contract: run \`pnpm generate\``);
    process.exitCode = 1;
  }
}
