/**
 * Writes the pages of docs/reference that are made from code, and the index of decision records; with --check, only
 * compares them.
 *
 *     pnpm reference
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandsPage } from './reference/commands.ts';
import { decisionsPage } from './reference/decisions.ts';
import { permissionsPage } from './reference/permissions.ts';
import { variablesPage } from './reference/variables.ts';

const root = join(import.meta.dirname, '..');
const onlyChecks = process.argv.includes('--check');

bringUpToDate('docs/decisions/README.md', () => decisionsPage(decisionRecords()));
bringUpToDate('docs/reference/commands.md', () => commandsPage(scriptsOf));
bringUpToDate('docs/reference/permissions.md', permissionsPage);
bringUpToDate('docs/reference/variables.md', variablesPage);

function bringUpToDate(page: string, render: () => string): void {
  const file = join(root, page);
  try {
    const text = render();
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    if (onlyChecks) {
      complain(`${page} is out of date. Write it with: pnpm reference`);
      return;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  }
}

function scriptsOf(manifest: string): string[] {
  const { scripts = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
    scripts?: Readonly<Record<string, string>>;
  };
  return Object.keys(scripts);
}

function decisionRecords() {
  const directory = join(root, 'docs', 'decisions');
  return globSync('[0-9]*.md', { cwd: directory })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(directory, file), 'utf8') }));
}

function complain(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
