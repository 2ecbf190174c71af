// @module-tag slow

import { execFile, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withinBounds } from '../apps/api/src/features/mcp/results.ts';
import { assetsReadText } from '../apps/api/src/features/mcp/own-tools/read-text.ts';
import { assetsUploadSmall } from '../apps/api/src/features/mcp/own-tools/upload-small.ts';
import { texts as keyTexts } from '../apps/web/src/texts/api-keys.ts';
import type { LiveMessage } from '../packages/contract/src/events.ts';
import { scopePresets } from '../packages/contract/src/scope-texts.ts';
import { scopes } from '../packages/contract/src/scopes.ts';
import { defaultToolsets, toolsets } from '../packages/contract/src/toolsets.ts';
import { Webhook } from '../packages/contract/src/webhook-schemas.ts';
import tools from '../packages/contract/tools.json' with { type: 'json' };
import mcpManifest from '../packages/mcp/package.json' with { type: 'json' };
import { settingsOf, type Options } from '../packages/mcp/src/settings.ts';
import { blocksIn, blocksOfDocuments, given } from './documentation/blocks.ts';
import { deadFileNames, deadLinks, deadLinksOf, deadMentions } from './documentation/links.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const blocks = blocksOfDocuments(root);
const project = mkdtempSync(join(tmpdir(), 'atelier-documentation-'));

/** Sets up a project with the packages installed, like a reader's. */
beforeAll(() => {
  mkdirSync(join(project, 'node_modules', '@atelier'), { recursive: true });
  mkdirSync(join(project, 'node_modules', '@types'));
  const packages = join(root, 'packages');
  for (const name of ['client', 'contract', 'conformance']) {
    symlinkSync(join(packages, name), join(project, 'node_modules', '@atelier', name));
  }
  const tanstack = join(packages, 'client', 'node_modules', '@tanstack');
  symlinkSync(tanstack, join(project, 'node_modules', '@tanstack'));
  const zod = join(packages, 'contract', 'node_modules', 'zod');
  symlinkSync(zod, join(project, 'node_modules', 'zod'));
  const nodeTypes = join(root, 'node_modules', '@types', 'node');
  symlinkSync(nodeTypes, join(project, 'node_modules', '@types', 'node'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'given.d.ts'), given);
  const compilerOptions = {
    lib: ['ES2024', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['.'] }),
  );
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Compiles sources. Each line of the result is an error, with the place of its block. */
async function compileErrorsOf(sources: readonly { place: string; source: string }[]) {
  const names = sources.map(({ place, source }, index) => {
    const name = `block-${index}.ts`;
    writeFileSync(join(project, name), `${source}\nexport {};\n`);
    return [name, place] as const;
  });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    await run(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { cwd: project });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const lines = names.reduce((text, [name, place]) => text.replaceAll(name, place), stdout);
    return lines.trim().split('\n');
  } finally {
    for (const [name] of names) rmSync(join(project, name));
  }
}

test('every TypeScript block of the guides and READMEs compiles', async () => {
  expect(blocks.length).toBeGreaterThan(20);
  expect(await compileErrorsOf(blocks)).toEqual([]);
});

test('the endpoint that CONTRIBUTING declares compiles', async () => {
  const file = 'CONTRIBUTING.md';
  const [sample] = blocksIn(file, readFileSync(join(root, file), 'utf8'));
  const [schemas, operations] = sample?.source.split('// in `collections`\n') ?? [];
  const source = [
    "import { endpoint, Id, memberAccess, ok, target } from '@atelier/contract';",
    "import { z } from 'zod';",
    schemas,
    'const collectionPath = z.object({ id: Id });',
    `export const collections = {${operations}};`,
  ].join('\n');
  expect(await compileErrorsOf([{ place: `${sample?.place}`, source }])).toEqual([]);
});

test('an error names the file and line of its block', async () => {
  const text = 'Text\n\n- item\n\n  ```ts\n  await api.assets.lst();\n  ```\n';
  const [error] = await compileErrorsOf(blocksIn('docs/guides/wrong.md', text));
  expect(error).toContain('docs/guides/wrong.md:5(1,18)');
});

test('the README has at most 7 kB: further text belongs into docs', () => {
  expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(7000);
});

test('every figure in the tables of the performance page is in the benchmark report', () => {
  const numbersIn = (text: string) => text.match(/\d[\d,.]*\d|\d/g) ?? [];
  const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8');
  const measured = new Set(numbersIn(read('reference/benchmark.md')));
  const cells = [...read('performance.md').matchAll(/^\|(?: \d+ \|)? [^|]+ \| (.+) \|$/gm)];
  const figures = cells.flatMap(([, figuresOfRow = '']) => numbersIn(figuresOfRow));
  expect(figures.length).toBeGreaterThan(30);
  expect(figures.filter((figure) => !measured.has(figure))).toEqual([]);
});

const guide = (name: string) => readFileSync(join(root, `docs/guides/${name}.md`), 'utf8');

test('guide and web app say what a key of contributors may do', () => {
  const said = [
    /^- \*\*Contributor\*\* (.+)$/m.exec(guide('automate'))?.[1],
    keyTexts.creating.presets.contributor.hint,
  ];
  const verbs = {
    'asset:create': 'creates',
    'asset:edit': 'edits',
    'asset:publish': 'publishes',
    'share:create': 'shares',
    'asset:delete': 'deletes',
  } as const;
  for (const [scope, verb] of Object.entries(verbs)) {
    expect(scopePresets.contributor).toContain(scope);
    for (const text of said) expect(text).toMatch(new RegExp(`\\b${verb}\\b`));
  }
});

test('the guides name every message of a live stream, and every reason for which a webhook is disabled', () => {
  const messages = Object.keys({
    ready: null,
    activity: null,
    notification: null,
    reset: null,
    closed: null,
  } satisfies Record<LiveMessage['event'], null>);
  for (const name of messages) expect(guide('live-updates')).toContain(`| \`${name}\` |`);
  for (const reason of Webhook.shape.disabledReason.unwrap().options) {
    expect(guide('webhooks')).toContain(`| \`DISABLED\`, \`${reason}\` |`);
  }
});

describe('the guide for assistants', () => {
  const text = guide('assistants');
  const figure = (pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll(',', ''));

  test('lists the toolsets, and which are the default', () => {
    const rows = [...text.matchAll(/^\| `(\w+)` \| [^|]+ \| (yes|no) \|$/gm)];
    expect(rows.map(([, name, isDefault]) => [name, isDefault === 'yes'])).toEqual(
      toolsets.map((name) => [name, defaultToolsets.includes(name)]),
    );
  });

  test('names scopes that exist', () => {
    const named = [...text.matchAll(/`([a-z-]+:[a-z]+)`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !scopes.some((scope) => scope === name))).toEqual([]);
  });

  test('gives the limits that are enforced', () => {
    const bytes = figure(/returns at most ([\d,]+) bytes of JSON/);
    const resultOf = (length: number) =>
      withinBounds({ content: [{ type: 'text', text: 'x'.repeat(length) }] });
    expect(resultOf(bytes).isError).toBeUndefined();
    expect(resultOf(bytes + 1).isError).toBe(true);

    const limits = tools.flatMap(({ inputSchema: { properties } }) =>
      'limit' in properties ? [properties.limit] : [],
    );
    expect(limits.length).toBeGreaterThan(5);
    const items = figure(/Lists have (\d+) items/);
    expect(limits.filter((limit) => limit.default !== items)).toEqual([]);

    expect(assetsReadText.description).toContain(`${figure(/of at most ([\d,]+) bytes/)} bytes`);
    const characters = figure(/at most ([\d,]+) characters of base64/);
    const problemsOf = (content: string) =>
      assetsUploadSmall.input
        .safeParse({ content })
        .error?.issues.flatMap(({ path, code }) => (path[0] === 'content' ? [code] : []));
    expect(problemsOf('A'.repeat(characters))).toEqual([]);
    expect(problemsOf('A'.repeat(characters + 4))).toEqual(['too_big']);
  });

  test('configures clients for one address, over HTTP and over stdio', () => {
    const [http, stdio] = [...text.matchAll(/^```json\n([^]*?)^```$/gm)].map(
      ([, json = '']) =>
        (JSON.parse(json) as { mcpServers: { atelier: Record<string, unknown> } }).mcpServers
          .atelier,
    );
    expect(stdio).toMatchObject({ command: 'npx', args: ['-y', mcpManifest.name] });
    const environment = { ...(stdio?.['env'] as Record<string, string>), ATELIER_KEY: 'atl_x' };
    const addressOf = (options: Options) => settingsOf(options, environment).address.href;
    expect(http?.['url']).toBe(addressOf({}));
    for (const options of [{ toolsets: 'work,members' }, { readOnly: true }] as const) {
      expect(text).toContain(`\`${decodeURIComponent(addressOf(options))}\``);
    }
  });
});

test('every link between documents leads to a file and a heading', () => {
  expect(deadLinks(root)).toEqual([]);
});

test('every document that code mentions exists', () => {
  expect(deadMentions(root)).toEqual([]);
});

test('every source file that a document names exists', () => {
  expect(deadFileNames(root)).toEqual([]);
});

test('a link to a missing file or heading is named', () => {
  const text =
    '# Title\n\n[a](none.md) [b](#title) [c](#none) [d](https://example.com) `[e](x.md)`\n';
  const dead = deadLinksOf('docs/guides/wrong.md', text, root);
  expect(dead[0]).toBe('docs/guides/wrong.md:3 none.md');
});

describe('against the mock', () => {
  const ran = blocks.filter(({ isRun }) => isRun);
  const mock = spawn(process.execPath, ['packages/mock/src/cli.ts', '--port', '0'], { cwd: root });
  let url = '';
  beforeAll(async () => {
    for await (const line of createInterface(mock.stdout)) {
      url = /http:\S+/.exec(line)?.[0] ?? '';
      if (url) break;
    }
  });
  afterAll(() => mock.kill());

  test.each(ran)('$place runs to its end', async ({ source }) => {
    const name = 'running.ts';
    writeFileSync(join(project, name), source.replaceAll('http://localhost:4010', url));
    const { stdout } = await run(process.execPath, [name], { cwd: project, timeout: 20_000 });
    expect(stdout).not.toBe('');
  });

  test('more than five blocks run', () => {
    expect(ran.length).toBeGreaterThan(5);
  });
});
