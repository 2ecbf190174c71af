import { and, asc, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { identities, passkeys, users } from '../../db/generated/schema.ts';
import type { ProviderId } from '../../ports/identity-provider.ts';

export interface IdentityKey {
  readonly provider: ProviderId;
  readonly subject: string;
}

/** Serializes the sign-ins of one identity, even before it is stored. The lock ends with the transaction. */
export async function lockIdentity(
  tx: Transaction,
  { provider, subject }: IdentityKey,
): Promise<void> {
  const key = `${provider}:${subject}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

/** Waits for the sign-ins of an account with a provider that are under way, and keeps others from it; see {@link lockIdentity}. */
export async function lockIdentitiesOf(
  tx: Transaction,
  { userId, provider }: { userId: string; provider: ProviderId },
): Promise<void> {
  const found = await tx
    .select({ provider: identities.provider, subject: identities.subject })
    .from(identities)
    .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
    .orderBy(asc(identities.subject));
  for (const identity of found) await lockIdentity(tx, identity);
}

/**
 * Whether a locked account can sign in: every way to sign in is counted here, and nowhere else. A mailed reset is none:
 * it needs a mailbox that may be lost.
 */
export async function hasSignInMethod(tx: Transaction, userId: string): Promise<boolean> {
  const anyIdentity = tx
    .select({ one: sql`1` })
    .from(identities)
    .where(eq(identities.userId, userId));
  const anyPasskey = tx
    .select({ one: sql`1` })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
  const [row] = await tx
    .select({
      isOpen: sql<boolean>`${users.passwordHash} is not null or exists ${anyIdentity}
        or exists ${anyPasskey}`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return row?.isOpen ?? false;
}
