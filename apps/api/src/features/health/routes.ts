import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { Failure } from '../../kernel/errors.ts';
import { packageDir } from '../../package-dir.ts';
import { pingDatabase } from './queries.ts';

const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
  version: string;
};

export function healthFeature({ db, store, stopping }: Deps) {
  return feature('health', {
    async live() {
      return { status: 'ok', version, uptimeSeconds: Math.floor(process.uptime()) };
    },
    async ready() {
      if (stopping.aborted) {
        throw new Failure('service_unavailable', { message: 'The service is stopping' });
      }
      await Promise.all([
        pingDatabase(db).catch((cause: unknown) => {
          throw new Failure('service_unavailable', { message: 'The database is away', cause });
        }),
        store.ping(),
      ]);
      return { status: 'ready' };
    },
  });
}
