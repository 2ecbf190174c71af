import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

/** A busy machine takes long to start a process. */
const patience = { timeout: 200_000 };

const entry = join(import.meta.dirname, '../../../../../packages/mcp/src/cli.ts');

/** How a program is started. */
interface Start {
  readonly url: string;
  readonly key: string;
  readonly args?: readonly string[];
}

interface ConnectedStart extends Start {
  /** How the client speaks; default: the newest revision of the protocol. */
  readonly era?: 'auto' | 'legacy';
}

function environmentOf({ url, key }: Start): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', ATELIER_URL: url, ATELIER_KEY: key };
}

/** Starts the program as a process, and connects the protocol's own client to it, for one test. */
export async function connectProgram({ era = 'auto', ...start }: ConnectedStart): Promise<Client> {
  const client = new Client(
    { name: 'test-client', version: '1.2.3' },
    { versionNegotiation: { mode: era } },
  );
  const { args = [] } = start;
  const command = { command: process.execPath, args: [entry, ...args] };
  const transport = new StdioClientTransport({ ...command, env: environmentOf(start) });
  await client.connect(transport, patience);
  onTestFinished(() => client.close());
  return client;
}

/** Starts the program as a process without a client, for one test. */
export function startProgram(start: Start): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(process.execPath, [entry, ...(start.args ?? [])], {
    env: environmentOf(start),
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs the program to its end, with an input that stays open. */
export async function runProgram(start: Start) {
  const child = startProgram(start);
  const texts = Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  const [stdout, stderr] = await texts;
  return { exitCode, stdout, stderr };
}
