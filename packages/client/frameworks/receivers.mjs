// Compiles the receivers of webhooks that the guide shows, and sends messages to those that listen themselves.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkReceiver, secret } from './messages.mjs';

const root = import.meta.dirname;
const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
execFileSync(process.execPath, [tsc, '-p', 'receivers'], { cwd: root, stdio: 'inherit' });
await Promise.all(['express', 'fastify'].map(check));

async function check(name) {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const server = spawn(process.execPath, [`receivers/${name}.ts`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let arrived = '';
  server.stdout.on('data', (chunk) => (arrived += chunk));
  try {
    const address = `http://127.0.0.1:${port}/hooks/atelier`;
    await listening(address, server);
    await checkReceiver(address);
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
  const wanted = 'webhook.ping evt_019aa4f32c4d7e5fa0617c8d9e0f1a2b\n';
  if (arrived !== wanted) throw new Error(`${name} enqueued ${JSON.stringify(arrived)}`);
}

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(address, server) {
  while (server.exitCode === null) {
    const response = await fetch(address).catch(() => null);
    if (response) return;
    await delay(50);
  }
  throw new Error('It ended before it listened');
}
