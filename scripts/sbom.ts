import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';

// Writes a software bill of materials of the production dependencies as CycloneDX, from the lockfile alone.
const out = 'reports/sbom.cdx.json';
mkdirSync('reports', { recursive: true });
const { status, stderr } = spawnSync(
  'pnpm',
  [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-spec-version',
    '1.6',
    '--sbom-type',
    'application',
    '--prod',
    '--lockfile-only',
    '--out',
    out,
  ],
  { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
);
if (status !== 0) throw new Error(`pnpm sbom failed: ${stderr}`);
const bom = JSON.parse(readFileSync(out, 'utf8')) as {
  bomFormat: string;
  specVersion: string;
  components: { purl?: string }[];
};
const named = bom.components.filter(({ purl }) => purl?.startsWith('pkg:npm/')).length;
if (bom.bomFormat !== 'CycloneDX' || named === 0) throw new Error(`${out} lists no packages`);
console.log(`${out}: CycloneDX ${bom.specVersion}, ${named} packages`);
