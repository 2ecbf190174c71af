import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import { startServer } from './server-process.ts';

const opponentsDir = join(import.meta.dirname, '..', 'opponents');
const compiledDir = join(opponentsDir, 'dist');

interface Opponent {
  readonly entry: string;
  readonly name: string;
  /** The name of its tuned variant. */
  readonly tunedName: string;
  readonly requestOf?: NonNullable<Contestant['requestOf']>;
  readonly dataIn?: NonNullable<Contestant['dataIn']>;
}

const opponents: readonly Opponent[] = [
  {
    entry: 'nest',
    name: 'NestJS + TypeORM',
    tunedName: 'NestJS on Fastify, named statements, tuned',
  },
  {
    entry: 'express',
    name: 'Express + Prisma',
    tunedName: 'Express + Prisma, raw named statements, tuned',
  },
  {
    entry: 'hono',
    name: 'Hono + drizzle',
    tunedName: 'Hono + drizzle, prepared, tuned',
  },
  {
    entry: 'trpc',
    name: 'tRPC + drizzle',
    tunedName: 'tRPC + drizzle, prepared, tuned',
    requestOf: procedureCall({ prefix: '/trpc', wrap: (input) => input, readsBy: 'GET' }),
    dataIn: (body) => fieldOf(fieldOf(body, 'result'), 'data'),
  },
  {
    entry: 'orpc',
    name: 'oRPC + drizzle',
    tunedName: 'oRPC + drizzle, prepared, tuned',
    requestOf: procedureCall({ prefix: '/rpc', wrap: (json) => ({ json }), readsBy: 'POST' }),
    dataIn: (body) => fieldOf(body, 'json'),
  },
];

/**
 * Starts the frameworks that people would use instead, each as its guides advise and tuned as the service is.
 * Installs and compiles them if they have changed.
 *
 * @throws Error if one can't be installed or doesn't start
 */
export async function startOpponents(
  environment: Readonly<Record<string, string>>,
  logDir: string,
): Promise<Contestant[]> {
  makeOpponents();
  const started: Contestant[] = [];
  for (const { entry, name, tunedName, ...its } of opponents) {
    for (const tuning of ['guide', 'tuned'] as const) {
      started.push({
        ...its,
        name: tuning === 'guide' ? name : tunedName,
        server: await startServer({
          entry: join(compiledDir, 'opponents', 'src', `${entry}.js`),
          env: { ...environment, NODE_ENV: 'production', OPPONENT_TUNING: tuning },
          logFile: join(logDir, `${entry}-${tuning}.log`),
        }),
        role: tuning === 'guide' ? 'plain' : 'tuned',
        work: 'whole',
        scenarios: ['S1', 'S2', 'S2-writes', 'S3'],
      });
    }
  }
  return started;
}

function makeOpponents(): void {
  const stamp = join(compiledDir, 'made-of');
  const sources = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  console.log('Installing and compiling the opponents; this happens once.');
  run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline']);
  const inModules = (...path: string[]) => join(opponentsDir, 'node_modules', ...path);
  const prisma = inModules('prisma', 'build', 'index.js');
  // Only migrations need the engine, which would be downloaded from another host than the packages.
  run(process.execPath, [prisma, 'generate'], { PRISMA_SCHEMA_ENGINE_BINARY: prisma });
  run(process.execPath, [inModules('typescript', 'bin', 'tsc')]);
  writeFileSync(stamp, sources);
}

function run(command: string, args: string[], env: Readonly<Record<string, string>> = {}): void {
  try {
    execFileSync(command, args, { cwd: opponentsDir, env: { ...process.env, ...env } });
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`${command} ${args.join(' ')} failed in ${opponentsDir}.\n${output}`, {
      cause: error,
    });
  }
}

/** Hashes every file that decides what is compiled. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const own = globSync(['*.{json,yaml,ts}', 'src/**/*.{ts,prisma}'], {
    cwd: opponentsDir,
    exclude: ['**/generated/**'],
  });
  const shared = globSync('src/limit/*.ts', { cwd: join(opponentsDir, '..') });
  const files = [
    ...own.map((file) => join(opponentsDir, file)),
    ...shared.map((file) => join(opponentsDir, '..', file)),
  ];
  for (const file of files.toSorted()) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/** Translates requests of the service to procedure calls. */
function procedureCall({
  prefix,
  wrap,
  readsBy,
}: {
  prefix: string;
  /** Wraps an input as the protocol does. */
  wrap: (input: object) => object;
  readsBy: 'GET' | 'POST';
}): (request: LoadRequest) => LoadRequest {
  const read = (name: string, input?: object): LoadRequest => {
    const path = `${prefix}/${name}`;
    if (input === undefined) return { method: readsBy, path };
    return readsBy === 'POST'
      ? { method: 'POST', path, body: wrap(input) }
      : { method: 'GET', path: `${path}?input=${encodeURIComponent(JSON.stringify(wrap(input)))}` };
  };
  return ({ method, path, body }) => {
    if (path === '/api/auth/user') return read('user');
    const address = new URL(path, 'http://localhost');
    if (method === 'GET')
      return read('tasks', { limit: Number(address.searchParams.get('limit')) });
    const taskId = address.pathname.split('/')[3];
    const input = { taskId, ...(typeof body === 'object' && body) };
    return { method: 'POST', path: `${prefix}/comment`, body: wrap(input) };
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
