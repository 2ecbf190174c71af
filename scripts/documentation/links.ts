import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ignored = ['**/node_modules/**', '**/dist/**', '**/.data/**', '**/CHANGELOG.md'];

/** Lists the links of all documents that lead to no file or no heading, each as `file:line target`. */
export function deadLinks(root: string): string[] {
  return filesOf(root, '**/*.md').flatMap((file) =>
    deadLinksOf(file, readFileSync(join(root, file), 'utf8'), root),
  );
}

/** Lists the links of a text that lead nowhere. */
export function deadLinksOf(file: string, text: string, root: string): string[] {
  return linksIn(text).flatMap(({ target, line }) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const linked = path === '' ? file : relative(root, join(root, dirname(file), path));
    const isDead =
      !existsSync(join(root, linked)) ||
      (anchor !== undefined && !anchorsOf(join(root, linked)).has(anchor));
    return isDead ? [`${file}:${line} ${target}`] : [];
  });
}

/** Lists the mentions of documents in code that name a file which doesn't exist. */
export function deadMentions(root: string): string[] {
  const code = filesOf(root, '{apps,packages,tools,benchmarks,faults,scripts,deploy,examples}/**/*')
    .concat(['compose.yaml', 'Dockerfile', '.dependency-cruiser.mjs', '.ci/run'])
    .filter((file) => /\.(ts|tsx|mjs|sql|ya?ml|cfg|ini|css)$|Dockerfile|run$/.test(file))
    .filter((file) => file !== 'scripts/documentation.test.ts' && existsSync(join(root, file)));
  return code.flatMap((file) =>
    mentionsIn(readFileSync(join(root, file), 'utf8')).flatMap(({ target, line }) =>
      existsSync(join(root, target)) ? [] : [`${file}:${line} ${target}`],
    ),
  );
}

/** Lists the source files that documents name in code spans, such as `kernel/keys.ts`, and that don't exist. */
export function deadFileNames(root: string): string[] {
  const known = filesOf(root, '**/*.{ts,tsx,mjs,sql,yml,yaml,cfg,ini}')
    .concat('.dependency-cruiser.mjs')
    .map((file) => `/${file}`);
  return filesOf(root, '{*.md,docs/**/*.md}').flatMap((file) =>
    namesIn(readFileSync(join(root, file), 'utf8')).flatMap(({ target, line }) =>
      known.some((path) => path.endsWith(`/${target}`)) ? [] : [`${file}:${line} ${target}`],
    ),
  );
}

interface Reference {
  readonly target: string;
  readonly line: number;
}

function linksIn(text: string): Reference[] {
  const prose = text.replaceAll(/```[^]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[^\n]/g, ' '));
  return matchesIn(prose, /\]\(([^()\s]+)\)|^\[[^\]]+\]: (\S+)$|\bsrc(?:set)?="([^"]+)"/gm);
}

function mentionsIn(text: string): Reference[] {
  return matchesIn(text, /\b(docs\/[\w/-]+\.md)\b/g);
}

function namesIn(text: string): Reference[] {
  return matchesIn(text, /`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|sql|ya?ml|cfg|ini))`/g);
}

function matchesIn(text: string, pattern: RegExp): Reference[] {
  return [...text.matchAll(pattern)].map((match) => ({
    target: match[1] ?? match[2] ?? match[3] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function filesOf(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ignored }).toSorted();
}
