import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { invitations, invitationTokens, organizations, users } from '../../db/generated/schema.ts';

interface InvitationKey {
  readonly organizationId: string;
  readonly invitationId: string;
}

/**
 * Stores another token of an invitation, in addition to earlier ones.
 *
 * @returns the content of its mail; null, without a new token, if the invitation can't be accepted
 */
export async function issueToken(
  db: Database,
  { organizationId, invitationId }: InvitationKey,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
) {
  return db.transaction(async (tx) => {
    const [open] = await tx
      .select({
        email: invitations.email,
        expiresAt: invitations.expiresAt,
        organizationName: organizations.name,
        invitedBy: { email: users.email, firstName: users.firstName, lastName: users.lastName },
      })
      .from(invitations)
      .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
      .innerJoin(users, eq(users.id, invitations.invitedBy))
      .where(
        and(
          eq(invitations.organizationId, organizationId),
          eq(invitations.id, invitationId),
          eq(invitations.status, 'PENDING'),
          gt(invitations.expiresAt, now),
          isNull(organizations.deletedAt),
        ),
      )
      // Renewing the offer revokes all existing tokens: this lock puts the new one before or after that.
      .for('share', { of: invitations });
    if (!open) return null;
    await tx
      .insert(invitationTokens)
      .values({ tokenHash, organizationId, invitationId, issuedAt: now });
    return open;
  });
}

/** Checks whether an offer was renewed since a token of it was issued. */
export async function isTokenVoid(db: Database, tokenHash: Buffer): Promise<boolean> {
  const [row] = await db
    .select({ voidedAt: invitationTokens.voidedAt })
    .from(invitationTokens)
    .where(eq(invitationTokens.tokenHash, tokenHash));
  return row === undefined || row.voidedAt !== null;
}
