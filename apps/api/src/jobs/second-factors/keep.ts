import type { Batches } from '../../domain/batches/queries.ts';
import { resealAll } from '../../domain/resealing/reseal-all.ts';
import { sealedOtherwise, storeResealed } from '../../domain/second-factor/queries.ts';
import type { JobDeps } from '../job-deps.ts';

/** Seals the secrets of authenticator apps with the current key, before an older one is removed. Idempotent. */
export async function keepTotpSecrets({
  db,
  totpSecrets,
  log,
  signal,
}: Pick<JobDeps, 'db' | 'totpSecrets' | 'log'> & Batches): Promise<void> {
  await resealAll({
    list: (page) => sealedOtherwise(db, totpSecrets.currentKey, page),
    reseal({ id, secret, pendingSecret }) {
      const resealed = {
        secret: secret && totpSecrets.reseal(id, secret),
        // One that can't be opened any more was never in use.
        pendingSecret: pendingSecret && totpSecrets.reseal(id, pendingSecret),
      };
      return secret && !resealed.secret ? null : resealed;
    },
    async store(factor, resealed) {
      if (resealed.secret || resealed.pendingSecret) await storeResealed(db, factor, resealed);
    },
    log,
    signal,
    missing: 'the key of the secrets of authenticator apps is missing',
  });
}
