import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processFile, type ServerProcess } from './server-process.ts';

/** The memory of a process in bytes, by purpose. */
export type Memory = ReadonlyMap<string, number>;

/** The part of Node's diagnostic report that is read here. */
interface DiagnosticReport {
  readonly javascriptHeap: {
    readonly heapSpaces: Readonly<Record<string, { readonly committedMemory: number }>>;
  };
}

/** The heap spaces other than old objects, by name. */
const kinds: readonly (readonly [string, RegExp])[] = [
  ['heap: young objects', /^new_/],
  ['heap: large objects', /large_object_space$/],
  ['heap: code', /^code_/],
];
const reportMs = 10_000;

/** Returns the flags with which Node writes a diagnostic report on a signal. */
export function reportingFlags(dir: string): string[] {
  mkdirSync(dir, { recursive: true });
  return [
    '--report-on-signal',
    `--report-directory=${dir}`,
    '--report-exclude-env',
    '--report-exclude-network',
  ];
}

/**
 * Breaks down the memory of a server by its diagnostic report and the system's figures. The server has to run
 * with {@link reportingFlags}.
 *
 * @throws Error if the system has no figures or the server writes no report
 */
export async function memoryOf({ pid }: Pick<ServerProcess, 'pid'>, dir: string): Promise<Memory> {
  const { javascriptHeap } = await reportOf(pid, dir);
  const status = processFile(pid, 'status') ?? '';
  const parts = new Map([['files: the runtime, libraries', heldBytes(status, 'RssFile')]]);
  let heapBytes = 0;
  for (const [space, { committedMemory }] of Object.entries(javascriptHeap.heapSpaces)) {
    const kind = kinds.find(([, names]) => names.test(space))?.[0] ?? 'heap: old objects';
    parts.set(kind, (parts.get(kind) ?? 0) + committedMemory);
    heapBytes += committedMemory;
  }
  return parts.set('outside the heap', heldBytes(status, 'RssAnon') - heapBytes);
}

/** Returns a text table in MiB: a line for each kind, a column for each server. */
export function memoryTable(servers: ReadonlyMap<string, Memory>): string {
  const parts = new Set([...servers.values()].flatMap((memory) => [...memory.keys()]));
  const line = (title: string, cellOf: (memory: Memory, name: string) => string) =>
    [
      title.padEnd(32),
      ...[...servers].map(([name, memory]) => cellOf(memory, name).padStart(name.length)),
    ].join('  ');
  return [
    line('MiB', (_memory, name) => name),
    ...[...parts].map((part) => line(part, (memory) => inMebibytes(memory.get(part) ?? 0))),
    line('all', (memory) =>
      inMebibytes([...memory.values()].reduce((sum, bytes) => sum + bytes, 0)),
    ),
  ].join('\n');
}

function inMebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

async function reportOf(pid: number, dir: string): Promise<DiagnosticReport> {
  const reports = () => globSync(`report.*.*.${pid}.*.json`, { cwd: dir });
  // The process id may have belonged to another process before.
  const earlier = new Set(reports());
  process.kill(pid, 'SIGUSR2');
  const until = performance.now() + reportMs;
  while (performance.now() < until) {
    await delay(100);
    const written = reports().find((name) => !earlier.has(name));
    if (written === undefined) continue;
    try {
      // Written by the runtime.
      return JSON.parse(readFileSync(join(dir, written), 'utf8')) as DiagnosticReport;
    } catch (error) {
      // It is still being written.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new Error(`Process ${pid} wrote no report.`);
}

function heldBytes(status: string, field: 'RssFile' | 'RssAnon'): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`The system doesn't report ${field}.`);
  return Number(kibibytes) * 1024;
}
