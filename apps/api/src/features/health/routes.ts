import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { Failure } from '../../kernel/errors.ts';
import { shared } from '../../kernel/shared.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { packageDir } from '../../package-dir.ts';

const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
  version: string;
};

/** Probes have short timeouts: they get a response even if the storage gives none. */
const storageTimeoutMs = 2_000;
/** Probes have no rate limit, and each request to a storage may be billed. */
const storageLastsMs = 1_000;

export function healthFeature({ databaseProbe, store, stopping }: Deps) {
  const askStorage = shared(
    () => withTimeout(storageTimeoutMs, store.ping(), () => new Failure('storage_unavailable')),
    storageLastsMs,
  );
  return feature('health', {
    async live() {
      return { status: 'ok', version, uptimeSeconds: Math.floor(process.uptime()) };
    },
    async ready() {
      if (stopping.aborted) {
        throw new Failure('service_unavailable', { message: 'The service is stopping' });
      }
      await Promise.all([
        databaseProbe.check().catch((cause: unknown) => {
          throw new Failure('service_unavailable', { message: 'The database is away', cause });
        }),
        askStorage(),
      ]);
      return { status: 'ready' };
    },
  });
}
