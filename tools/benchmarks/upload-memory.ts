/** Measures how much memory a large upload costs the API. `pnpm bench:upload [MiB]`. */
import { openAsBlob, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, memoryTokens, type Client } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import { startDevstack } from '@atelier/devstack';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { startApi, type ServerProcess } from './src/server-process.ts';
import { password, signUp } from './src/seed/accounts.ts';

const mebibyte = 1024 ** 2;
const email = 'person@example.com';
const warmUpMebibytes = 9;
const warmUps = 3;
const sampleMs = 20;
const inspectionTimeoutMs = 30_000;

const mebibytes = Number(process.argv[2] ?? 1024);
if (!Number.isInteger(mebibytes) || mebibytes < 1 || mebibytes > 5 * 1024) {
  console.error('usage: pnpm bench:upload [MiB]   1 to 5120, default 1024');
  process.exit(2);
}

const directory = temporaryDirectory('upload-memory');
const stack = await track(
  startDevstack({
    dataDir: join(directory, 'services'),
    env: {},
    baseUrl: 'http://localhost:3000',
  }),
);
const api = await track(startApi(stack.environment, join(directory, 'api.log')));
try {
  const client = await signedIn();
  const { id: collectionId } = await client.collections.create({ body: { title: 'Films' } });
  // The first uploads load code and fill pools.
  for (let n = 0; n < warmUps; n += 1) {
    await send(client, { collectionId, name: `warm-up-${n}.bin`, mebibytes: warmUpMebibytes });
  }
  const { beforeBytes, peakBytes, durationMs } = await withSampledMemory(api, () =>
    send(client, { collectionId, name: 'film.bin', mebibytes }),
  );
  const inMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  console.log(
    `${mebibytes} MiB in ${(durationMs / 1000).toFixed(1)} s: the API used ${inMegabytes(beforeBytes)} MB before, ` +
      `${inMegabytes(peakBytes)} MB at its peak, ${inMegabytes(peakBytes - beforeBytes)} MB more.`,
  );
} finally {
  await stopAll();
}

async function signedIn(): Promise<Client> {
  await signUp({ apiUrl: api.url, mailUrl: stack.addresses.mail ?? '' }, [email]);
  const client = createClient({ baseUrl: api.url, tokens: memoryTokens() });
  await client.auth.login({ body: { email, password } });
  return client;
}

/** Uploads a file and waits until the inspection job has read it. */
async function send(
  client: Client,
  {
    collectionId,
    name,
    mebibytes: size,
  }: { collectionId: string; name: string; mebibytes: number },
): Promise<void> {
  const path = join(directory, name);
  const handle = await open(path, 'w');
  await handle.truncate(size * mebibyte);
  await handle.close();
  const { id } = await upload(client, await openAsBlob(path), { collectionId, fileName: name })
    .done;
  rmSync(path);
  const deadline = performance.now() + inspectionTimeoutMs;
  while ((await client.assets.get({ params: { id } })).checksum === null) {
    if (performance.now() > deadline) return;
    await delay(sampleMs);
  }
}

/** Runs the work and samples the memory of the process. */
async function withSampledMemory(process: ServerProcess, work: () => Promise<void>) {
  const sample = () => process.residentBytes() ?? Number.NaN;
  const beforeBytes = sample();
  let peakBytes = beforeBytes;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, sample())), sampleMs);
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { beforeBytes, peakBytes, durationMs: performance.now() - startedAt };
}
