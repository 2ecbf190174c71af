// Bundles for Node, workerd and browsers, and runs the first two.
//   node vite.mjs <address of the mock>
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { secret, signMessages } from './messages.mjs';

const [, , mockUrl] = process.argv;
const root = import.meta.dirname;
const options = { root, configFile: false, logLevel: 'warn' };
for (const entry of ['node', 'worker']) {
  await build({
    ...options,
    // The packages too, so that nothing has to be resolved where the bundle runs.
    ssr: { noExternal: true, target: 'webworker' },
    build: { ssr: `${entry}.mjs`, outDir: entry },
  });
}
await build({ ...options, build: { outDir: 'site' } });

execFileSync(process.execPath, ['node/node.js', mockUrl], { cwd: root, stdio: 'inherit' });
const workerd = fileURLToPath(import.meta.resolve('workerd/bin/workerd'));
execFileSync(process.execPath, [workerd, 'test', 'workerd.capnp'], {
  cwd: root,
  env: {
    ...process.env,
    MOCK_URL: mockUrl,
    WEBHOOK_SECRET: secret,
    WEBHOOK_MESSAGES: JSON.stringify(signMessages()),
  },
  stdio: 'inherit',
});
