/**
 * Uses the packed packages and the OpenAPI document as other companies do, with plain npm: both programs, compilers,
 * ts-rest without patches, versions of zod, bundlers, workerd, Next, generators, also for Python, linters and API
 * explorers. Requests go to the mock and to the product on embedded services, which is started once for all.
 *
 *   pnpm check:consumers [--install]
 *
 * npm installs the tools into a cache; with `--install` that is all. If it can't, everything is skipped, and that is said.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'tsdown';
import manifest from '../packages/client/package.json' with { type: 'json' };
import { startStack } from '../apps/web/browser/testing/stack.ts';
import { sampleAccount, startMock } from '../packages/mock/src/index.ts';
import { assistantSteps } from './assistant-program.ts';
import { commandLineSteps } from './command-line.ts';
import { frameworkSteps, installFrameworks } from './frameworks.ts';
import { installByNpm } from './npm-cache.ts';
import { packPackage, unpackPackage } from './packed-packages.ts';
import { installDependenciesOf } from './packed-program.ts';
import { runSteps, type Step } from './run-step.ts';

const repository = join(import.meta.dirname, '..');
/** What users of the contract write. */
const everything = ['router.ts', 'query.ts', 'entries.ts'];
const document = join(repository, 'packages', 'contract', 'openapi.json');

// The declarations of ts-rest name types of zod 3, which zod 3.25.76 has beside `zod/v4`.
const tools = {
  '@apidevtools/swagger-parser': '13.1.0',
  '@hey-api/openapi-ts': '0.95.0',
  '@stoplight/spectral-cli': '6.16.3',
  // The oldest that the client says it works with.
  '@tanstack/react-query': manifest.peerDependencies['@tanstack/react-query'].replace('^', ''),
  '@ts-rest/core': '3.53.0-rc.1',
  '@ts-rest/react-query': '3.53.0-rc.1',
  '@types/node': '22.20.5',
  '@types/react': '18.3.8',
  '@usebruno/converters': '0.23.0',
  'openapi-fetch': '0.17.0',
  'openapi-to-postmanv2': '6.3.3',
  'openapi-typescript': '7.13.0',
  'orval-7': 'npm:orval@7.13.2',
  'orval-8': 'npm:orval@8.38.0',
  quicktype: '26.0.0',
  react: '18.3.0',
  'typescript-5.4': 'npm:typescript@5.4.5',
  'typescript-5.9': 'npm:typescript@5.9.3',
  'typescript-6': 'npm:typescript@6.0.3',
  'typescript-7': 'npm:typescript@7.0.2',
  zod: '3.25.76',
  'zod-newest': 'npm:zod@4.6.7',
  'zod-oldest': 'npm:zod@4.0.0',
};

const cache = join(repository, 'node_modules', '.cache', 'consumers');
const hasPython = spawnSync('python3', ['--version']).status === 0;

if (!installByNpm(cache, tools)) {
  console.log("skip consumers: npm can't install their tools here");
  console.log('0 passed, 0 failed, 1 skipped');
} else if (process.argv.includes('--install')) {
  installFrameworks();
  installDependenciesOf('cli');
  installDependenciesOf('mcp');
} else {
  const projects = mkdtempSync(join(cache, 'projects-'));
  try {
    await check(projects);
  } finally {
    rmSync(projects, { recursive: true, force: true });
  }
}

async function check(projects: string): Promise<void> {
  const [contract, client, cli, mcp] = ['contract', 'client', 'cli', 'mcp'].map((name) => {
    const packed = join(projects, 'packed', name);
    mkdirSync(packed, { recursive: true });
    return packPackage(`@atelier/${name}`, packed);
  }) as [string, string, string, string];
  const [main, oldest, newest] = ['zod-3.25', 'zod-oldest', 'zod-newest'].map((zod) => {
    const project = join(projects, zod);
    cpSync(join(repository, 'packages', 'contract', 'consumer'), project, { recursive: true });
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    const unpacked = join(project, 'node_modules', '@atelier', 'contract');
    unpackPackage(contract, unpacked);
    const installed = join(cache, 'node_modules', zod);
    if (existsSync(installed)) symlinkSync(installed, join(project, 'node_modules', 'zod'));
    return project;
  }) as [string, string, string];

  const queries = 'queries.ts';
  cpSync(join(repository, 'packages', 'client', 'consumer', queries), join(main, queries));
  unpackPackage(client, join(main, 'node_modules', '@atelier', 'client'));

  await using mock = await startMock();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (!hasPython) {
    counts.skipped += 1;
    console.log('skip the Python client: python3 is not installed');
  }
  const run = async (steps: readonly Step[]) => {
    await runSteps(steps, {
      concurrency: availableParallelism(),
      onResult({ name, hasPassed, seconds, output }) {
        counts[hasPassed ? 'passed' : 'failed'] += 1;
        console.log(`${hasPassed ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`);
        if (!hasPassed) console.log(output.trimEnd().replaceAll(/^/gm, '     '));
      },
    });
  };
  const frameworks = frameworkSteps(
    { '@atelier/client': client, '@atelier/contract': contract },
    mock.url,
  );
  if (!frameworks) {
    counts.skipped += 1;
    console.log("skip frameworks: npm can't install them here");
  }
  using elsewhere = mkdtempDisposableSync(join(tmpdir(), 'atelier-command-line-'));
  const commandLine = commandLineSteps(
    { '@atelier/cli': cli, '@atelier/client': client, '@atelier/contract': contract },
    { directory: elsewhere.path, serviceUrl: mock.url },
  );
  if (!commandLine) {
    counts.skipped += 1;
    console.log("skip the command line: npm can't install its dependencies here");
  }
  using besides = mkdtempDisposableSync(join(tmpdir(), 'atelier-assistant-program-'));
  const assistant = assistantSteps(mcp, besides.path);
  if (!assistant) {
    counts.skipped += 1;
    console.log("skip the program for assistants: npm can't install its dependencies here");
  }
  // The slowest first.
  await run([
    ...(frameworks ?? []),
    ...['5.4', '5.9', '6', '7'].map((version) =>
      types({ project: main, compiler: `typescript-${version}`, resolution: 'nodenext' }),
    ),
    ...(commandLine ?? []),
    ...(assistant?.alone ?? []),
    script('swagger-parser, Postman, Bruno', [main, 'documents.mjs', document]),
    ...generators(main),
    {
      name: 'Spectral: no finding',
      command: tool('@stoplight/spectral-cli', ['lint', document, ...spectralOptions(main)]),
    },
    types({ project: main, compiler: 'typescript-7', resolution: 'bundler' }),
    types({
      project: main,
      compiler: 'typescript-7',
      resolution: 'nodenext',
      files: [queries],
    }),
    // The oldest as well; what is between them resolves as they do.
    types({
      project: main,
      compiler: 'typescript-5.4',
      resolution: 'bundler',
      files: ['entries.ts'],
    }),
    ...[oldest, newest].flatMap((project) => [
      types({
        project,
        compiler: 'typescript-7',
        resolution: 'nodenext',
        files: ['entries.ts'],
      }),
      script(`schemas with ${basename(project)}`, [project, 'schemas.mjs']),
    ]),
    script('schemas with zod/v4 of zod 3.25', [main, 'schemas.mjs']),
    {
      name: 'quicktype: models for Python',
      command: tool('quicktype', quicktypeOptions(main)),
    },
  ]);
  // Not beside the steps above: they occupy each core, and a start has to respond in time.
  const { stack, stop } = await startStack();
  try {
    const services = [
      { name: 'the mock', args: [mock.url, sampleAccount.email, sampleAccount.password] },
      { name: 'the product', args: [stack.api, stack.demo.email, stack.demo.password] },
    ];
    await run([
      ...services.flatMap(({ name, args }) => [
        script(`ts-rest calls ${name}`, [main, 'calls.mjs', ...args]),
        ...python(main, name, args),
      ]),
      ...(assistant?.against([stack.api, stack.demo.email, stack.demo.password]) ?? []),
    ]);
    if (counts.failed === 0) {
      await run([generatedTypes(main)]);
      await bundle(main);
      await run(
        services.map(({ name, args }) =>
          script(`generated clients call ${name}`, [main, 'bundled/generated.js', ...args]),
        ),
      );
    }
  } finally {
    await stop();
  }
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  if (counts.failed > 0) process.exitCode = 1;
}

/** Needs nothing but Python itself. */
function python(project: string, service: string, args: readonly string[]): Step[] {
  if (!hasPython) return [];
  const file = join(project, 'python_client.py');
  const command = ['python3', file, document, join(project, 'generated'), ...args] as const;
  return [{ name: `Python calls ${service}`, command }];
}

function generatedTypes(project: string): Step {
  const files = ['generated.ts'];
  return types({ project, compiler: 'typescript-7', resolution: 'bundler', files });
}

interface Compilation {
  readonly project: string;
  readonly compiler: string;
  readonly resolution: 'nodenext' | 'bundler';
  readonly files?: readonly string[];
}

/** Compiles consumers, and checks every declaration file. */
function types({ project, compiler, resolution, files = everything }: Compilation): Step {
  const config = join(project, `tsconfig.${compiler}.${resolution}.${files.length}.json`);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    // What hey-api generates beside the types doesn't compile with it.
    exactOptionalPropertyTypes: !files.includes('generated.ts'),
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
    ...(resolution === 'bundler' && { allowImportingTsExtensions: true }),
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  return {
    name: `types of ${files.join(', ')}: ${compiler}, ${resolution}, ${basename(project)}`,
    command: tool(compiler, ['-p', config], 'tsc'),
  };
}

function generators(project: string): Step[] {
  const out = (name: string) => join(project, 'generated', name);
  const orval = (name: string) =>
    ['--input', document, '--output', out(`${name}.ts`), '--client', 'fetch'] as const;
  const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'];
  return [
    { name: 'orval 7', command: tool('orval-7', orval('orval7'), 'orval') },
    { name: 'orval 8', command: tool('orval-8', orval('orval8'), 'orval') },
    {
      name: 'hey-api',
      command: tool(
        '@hey-api/openapi-ts',
        ['-i', document, '-o', out('hey'), '--no-log-file', '-p', ...plugins],
        'openapi-ts',
      ),
    },
    {
      name: 'openapi-typescript',
      // Otherwise it requires every field of a request that has a default.
      command: tool('openapi-typescript', [
        document,
        '-o',
        out('schema.d.ts'),
        '--default-non-nullable=false',
      ]),
    },
  ];
}

function spectralOptions(project: string): string[] {
  const ruleset = join(project, 'spectral.yaml');
  writeFileSync(ruleset, 'extends: ["spectral:oas"]\n');
  return ['--ruleset', ruleset, '--fail-severity', 'hint'];
}

function quicktypeOptions(project: string): string[] {
  const directory = join(project, 'generated');
  mkdirSync(directory, { recursive: true });
  const language = ['--lang', 'python', '--python-version', '3.7', '--no-date-times'];
  const source = ['--src-lang', 'schema', '--src', `${document}#/components/schemas/`];
  return [...source, ...language, '--out', join(directory, 'models.py')];
}

/** Bundles the generated clients: their imports have no extensions. */
async function bundle(project: string): Promise<void> {
  await build({
    entry: [join(project, 'generated.ts')],
    outDir: join(project, 'bundled'),
    config: false,
    dts: false,
    fixedExtension: false,
    format: 'esm',
    logLevel: 'error',
    noExternal: [/./],
    platform: 'node',
    target: 'node20',
  });
}

function script(
  name: string,
  [project, file, ...args]: readonly [string, string, ...string[]],
): Step {
  return { name, command: [process.execPath, join(project, file), ...args] };
}

/** The command of a program that a package brings. */
function tool(
  name: string,
  args: readonly string[],
  program?: string,
): readonly [string, ...string[]] {
  const directory = join(cache, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : (bin[program ?? ''] ?? Object.values(bin)[0] ?? '');
  return [process.execPath, join(directory, file), ...args];
}
