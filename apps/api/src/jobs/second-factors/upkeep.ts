import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/executor.ts';
import { sealedOtherwise, storeResealed } from '../../domain/second-factor/queries.ts';
import type { TotpSecrets } from '../../domain/second-factor/totp-secrets.ts';

const batchRows = 500;

/** Seals the secrets of authenticator apps with the current key, before an older one is removed. Idempotent. */
export async function keepTotpSecrets({
  db,
  totpSecrets,
  log,
}: {
  db: Database;
  totpSecrets: TotpSecrets;
  log: FastifyBaseLogger;
}): Promise<void> {
  let lost = 0;
  let after: string | null = null;
  for (;;) {
    const factors = await sealedOtherwise(db, totpSecrets.currentKey, { after, limit: batchRows });
    for (const factor of factors) {
      const { userId, secret, pendingSecret } = factor;
      const resealed = {
        secret: secret && totpSecrets.reseal(userId, secret),
        // One that can't be opened any more was never in use.
        pendingSecret: pendingSecret && totpSecrets.reseal(userId, pendingSecret),
      };
      if (secret && !resealed.secret) lost += 1;
      else if (resealed.secret || resealed.pendingSecret) await storeResealed(db, factor, resealed);
    }
    after = factors.at(-1)?.userId ?? null;
    if (factors.length < batchRows) break;
  }
  if (lost > 0) log.error({ lost }, 'the key of the secrets of authenticator apps is missing');
}
