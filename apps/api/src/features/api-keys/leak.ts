import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import {
  recordAccountActivity,
  recordActivity,
  type AccountActivityEntry,
} from '../../domain/activity.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { readApiKey } from '../../kernel/api-keys.ts';
import type { PublicContext } from '../../kernel/context.ts';
import { revokeKey } from '../../domain/account-keys/queries.ts';
import { findUnrevokedByHash } from './queries.ts';

/** Every report takes at least as long as the end of a key, in milliseconds, so that the time tells nothing. */
const responseMs = 250;

const keyHashBytes = 32;

/** Ends a reported key. Does nothing, in the same time, for anything else. */
export function leakUseCase({ db, clock }: Deps) {
  return async function reportLeak(key: string, ctx: PublicContext): Promise<{ received: true }> {
    // Without a key too the database is asked: when it is away, all reports fail alike.
    const keyHash = readApiKey(key)?.keyHash ?? randomBytes(keyHashBytes);
    await Promise.all([end(keyHash, ctx), delay(responseMs)]);
    return { received: true };
  };

  async function end(keyHash: Buffer, { requestId }: PublicContext): Promise<void> {
    const found = await findUnrevokedByHash(db, keyHash);
    if (!found) return;
    await db.transaction(async (tx) => {
      await lockAccount(tx, found.userId);
      // Revoked while this one waited.
      if (!(await findUnrevokedByHash(tx, keyHash))) return;
      const now = clock.now();
      await revokeKey(tx, found, { revokedAt: now, revokedBecause: 'LEAK' });
      const revoked: AccountActivityEntry = {
        action: 'api_key.revoke',
        actorId: null,
        resourceType: 'api_key',
        resourceId: found.id,
        resourceName: found.name,
        metadata: { reason: 'leaked' },
        apiKeyId: null,
        requestId,
        at: now,
      };
      const { organizationId } = found;
      await (organizationId === null
        ? recordAccountActivity(tx, revoked)
        : recordActivity(tx, { ...revoked, organizationId }));
      await enqueueJob(tx, 'send_api_key_notice', { apiKeyId: found.id, notice: 'LEAKED' });
    });
  }
}
