import { and, eq, ne, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { identities, passkeys, users } from '../../db/generated/schema.ts';
import type { ProviderId } from '../../ports/identity-provider.ts';

/**
 * Whether a locked account could sign in without a provider: every way to sign in is counted here, and nowhere else. A
 * mailed reset is none: it needs a mailbox that may be lost.
 */
export async function hasOtherSignInMethod(
  tx: Transaction,
  { userId, without }: { userId: string; without: ProviderId },
): Promise<boolean> {
  const otherIdentities = tx
    .select({ one: sql`1` })
    .from(identities)
    .where(and(eq(identities.userId, userId), ne(identities.provider, without)));
  const anyPasskey = tx
    .select({ one: sql`1` })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
  const [row] = await tx
    .select({
      hasOther: sql<boolean>`${users.passwordHash} is not null or exists ${otherIdentities}
        or exists ${anyPasskey}`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return row?.hasOther ?? false;
}
