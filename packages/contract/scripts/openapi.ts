import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from './openapi/document.ts';

// Writes the document that is committed; with --check, only compares.
const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(), null, 1)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  console.error('openapi.json differs from the contract: run `pnpm generate`');
  process.exitCode = 1;
}
