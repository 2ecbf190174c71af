import { readFile } from 'node:fs/promises';
import { breaksBetween } from './compatibility/breaks.ts';
import type { OpenApi } from './compatibility/document.ts';
import { openApiDocument } from './openapi/document.ts';

// Compares with what was released: within a major version, nothing that was right may become wrong.
const released = new URL('../released/openapi-1.0.0.json', import.meta.url);
const before = JSON.parse(await readFile(released, 'utf8')) as OpenApi;
const after = JSON.parse(JSON.stringify(openApiDocument())) as OpenApi;

const growths: string[] = [];
const breaks = breaksBetween(before, after, (line) => growths.push(line));
for (const one of growths) console.log(`grows: ${one}`);
if (growths.length > 0) {
  console.log('New values are no breaks: clients take unknown ones, see docs/guides/versions.md');
}
for (const one of breaks) console.error(`breaks clients of 1.x: ${one}`);
if (breaks.length > 0) process.exitCode = 1;
