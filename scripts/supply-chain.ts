import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { supplyChainProblems, type Manifest } from './supply-chain-rules.ts';

process.chdir(join(import.meta.dirname, '..'));

const read = (path: string) => readFileSync(path, 'utf8');
const paths = globSync([
  'package.json',
  'tools/{*,benchmarks/opponents}/package.json',
  '{apps,packages}/*/package.json',
]);
const problems = supplyChainProblems({
  workspace: read('pnpm-workspace.yaml'),
  lockfile: read('pnpm-lock.yaml'),
  ci: read('.ci/run'),
  manifests: Object.fromEntries(paths.map((path) => [path, JSON.parse(read(path)) as Manifest])),
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
