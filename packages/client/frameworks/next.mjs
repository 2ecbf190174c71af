// Builds the app with Next's own check of types, starts it, and asks for its page and its route handler, and sends
// messages to its receiver of webhooks.
//   node next.mjs <address of the mock>
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { checkReceiver, secret } from './messages.mjs';

const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'));
const options = {
  cwd: `${import.meta.dirname}/next`,
  env: {
    ...process.env,
    MOCK_URL: process.argv[2],
    WEBHOOK_SECRET: secret,
    NEXT_TELEMETRY_DISABLED: '1',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
};
try {
  execFileSync(process.execPath, [next, 'build'], options);
} catch (error) {
  console.log(String(error.stdout));
  throw error;
}
const server = spawn(
  process.execPath,
  [next, 'start', '--port', '0', '--hostname', '127.0.0.1'],
  options,
);
try {
  const address = await addressOf(server.stdout);
  const page = await fetch(address);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<p>2 tasks<\/p>/);
  const route = await fetch(new URL('/api/tasks', address));
  assert.deepEqual(await route.json(), { code: 'validation_failed', status: 400 });
  await checkReceiver(new URL('/hooks/atelier', address));
} finally {
  server.kill();
  await once(server, 'exit');
}

async function addressOf(output) {
  for await (const line of createInterface(output)) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error('It ended before it listened');
}
