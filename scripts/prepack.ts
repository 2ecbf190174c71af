/**
 * Runs before a package is packed: refuses package managers that would pack it wrongly, and copies the guides
 * that the package ships.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const guides: Readonly<Record<string, readonly string[]>> = {
  cli: ['uploads'],
  client: [
    'quick-start',
    'sessions',
    'uploads',
    'errors',
    'pagination',
    'live-updates',
    'versions',
  ],
  conformance: ['contract-tests'],
  mcp: ['assistants'],
  mock: ['quick-start', 'errors', 'pagination'],
  contract: ['errors', 'pagination', 'live-updates', 'versions', 'embedding', 'contract-tests'],
};

const agent = process.env['npm_config_user_agent'] ?? '';
if (agent.startsWith('pnpm/')) {
  copyGuides(process.cwd());
} else {
  console.error(
    'Pack and publish with pnpm: `publishConfig` and the versions of the workspace are not read by ' +
      `${agent.split('/', 1)[0] || 'other package managers'}, so the package would import files that it doesn't have.`,
  );
  process.exitCode = 1;
}

function copyGuides(packageDir: string): void {
  const target = join(packageDir, 'guides');
  rmSync(target, { recursive: true, force: true });
  const shipped = guides[basename(packageDir)] ?? [];
  if (shipped.length > 0) mkdirSync(target);
  for (const name of shipped) {
    const source = join(import.meta.dirname, '..', 'docs', 'guides', `${name}.md`);
    // Links to what isn't shipped become their text.
    const text = readFileSync(source, 'utf8').replaceAll(
      /\[([^\]]+)\]\((?!https?:)([^)#]+)[^)]*\)/g,
      (link: string, label: string, path: string) =>
        shipped.includes(basename(path, '.md')) && !path.includes('/') ? link : label,
    );
    writeFileSync(join(target, `${name}.md`), text);
  }
}
