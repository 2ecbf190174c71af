import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@atelier/client';
import { freePorts, type StackFile } from '@atelier/devstack';
import { tokenFromMail } from './mailbox.ts';

/** The running product. */
export interface Stack extends StackFile {
  readonly mail: string;
  readonly demo: { readonly email: string; readonly password: string };
  /** URL of the sign-in provider. */
  readonly identity: string;
}

const startFile = join(import.meta.dirname, '../../../../packages/devstack/src/start.ts');
const pollMs = 50;

/**
 * Starts the product with its start command, on free ports and with its own data directory. The demo account
 * is a service administrator, and rate limits are off, since all tests share one IP address.
 *
 * @param settings - additional environment variables of the API
 */
export async function startStack(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ stack: Stack; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-browser-'));
  // Two stacks that prefer the same port and start at once take one another for their own API.
  const [port = 0] = await freePorts(1);
  // Vitest sets its own values.
  const { BASE_URL: _runners, NODE_ENV: _tests, ...inherited } = process.env;
  const child = spawn(process.execPath, [startFile], {
    env: {
      ...inherited,
      ATELIER_DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT_ENABLED: 'false',
      ADMIN_EMAILS: 'demo@example.com',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'close');
  const file = join(dataDir, 'stack.json');
  // The demo data is seeded after the product has started.
  const seeded = join(dataDir, 'postgres', 'seeded.json');
  while (!existsSync(file) || !existsSync(seeded)) {
    const isIncomplete = /could not be created|are not complete/.test(output);
    if (child.exitCode !== null || isIncomplete) {
      child.kill('SIGINT');
      throw new Error(`The product did not start:\n${output}`);
    }
    await delay(pollMs);
  }
  const identity = /Sign-in provider +(\S+)/.exec(output)?.[1] ?? '';
  // Written by the start command; with all services embedded, no value is null.
  const stack = { ...(JSON.parse(readFileSync(file, 'utf8')) as Stack), identity };
  await proveMailbox(stack, stack.demo);
  return {
    stack,
    async stop() {
      child.kill('SIGINT');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resets the password by email: only an account with a proven mailbox becomes an administrator. */
async function proveMailbox(
  stack: Stack,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const api = createClient({ baseUrl: stack.api });
  await api.auth.requestPasswordReset({ body: { email } });
  const token = await tokenFromMail(stack, email, 'reset-password');
  await api.auth.resetPassword({ body: { token, password } });
}
