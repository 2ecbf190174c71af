import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { generateQueryGroups, generateStaleGroups } from './generate-queries.ts';
import { generateResources, generateResourceTypes } from './generate-resources.ts';
import { generateRoutes } from './generate-routes.ts';
import { generateGroups, generateTypes } from './generate-types.ts';
import { generateWebhookTypes } from './generate-webhook-types.ts';

const generated = fileURLToPath(new URL('../src/generated/', import.meta.url));
const files = {
  'groups.ts': generateGroups(),
  'query-groups.ts': generateQueryGroups(),
  'resource-types.ts': generateResourceTypes(),
  'resources.ts': generateResources(),
  'routes.ts': generateRoutes(),
  'stale-groups.ts': generateStaleGroups(),
  'types.ts': generateTypes(),
  'webhook-types.ts': generateWebhookTypes(),
};

if (process.argv.includes('--check')) await check();
else await write();

async function write(): Promise<void> {
  await mkdir(generated, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(generated + name, text);
}

async function check(): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const committed = await readFile(generated + name, 'utf8').catch(() => '');
    if (committed === text) continue;
    console.error(`src/generated/${name} differs from the contract: run \`pnpm generate\``);
    process.exitCode = 1;
  }
}
