import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@atelier/client';
import type { StackFile } from '@atelier/devstack';
import { mailedToken } from './mailbox.ts';

/** The whole product, as somebody starts it. */
export interface Stack extends StackFile {
  readonly mail: string;
  readonly demo: { readonly email: string; readonly password: string };
  /** Where people choose an account to sign in with. */
  readonly identity: string;
}

const startFile = join(import.meta.dirname, '../../../../packages/devstack/src/start.ts');
const pollMs = 50;

/**
 * Starts the product by its own command, on free ports and in a directory of its own. The demo account
 * administers the service from its next login on, and nothing is limited: all tests come from one address.
 *
 * @param settings - further variables of the service
 */
export async function startStack(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ stack: Stack; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-browser-'));
  // The test runner sets an address of its own.
  const { BASE_URL: _runners, NODE_ENV: _tests, ...inherited } = process.env;
  const child = spawn(process.execPath, [startFile], {
    env: {
      ...inherited,
      ATELIER_DATA_DIR: dataDir,
      PORT: '3300',
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
  // The demo account is filled after the start says that it serves.
  const seeded = join(dataDir, 'postgres', 'seeded.json');
  while (!existsSync(file) || !existsSync(seeded)) {
    if (child.exitCode !== null) throw new Error(`The product did not start:\n${output}`);
    await delay(pollMs);
  }
  const identity = /Sign-in provider +(\S+)/.exec(output)?.[1] ?? '';
  // Written by the start command; with everything embedded nothing of it is null.
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

/** Sets the password of an account by a mailed link: that of a registration makes no administrator. */
async function proveMailbox(
  stack: Stack,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const api = createClient({ baseUrl: stack.api });
  await api.auth.requestPasswordReset({ body: { email } });
  const token = await mailedToken(stack, email, 'reset-password');
  await api.auth.resetPassword({ body: { token, password } });
}
