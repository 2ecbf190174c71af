import type { PublicLinks } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../db/executor.ts';
import { organizations } from '../../db/generated/schema.ts';

/** An organization's setting for public links; for queries of `organizations`. The function `save_upload` has the same. */
export const publicLinks = sql<PublicLinks>`coalesce(${organizations.publicLinks},
  case ${organizations.type} when 'PERSONAL' then 'ON_FOR_NEW' else 'OFF_FOR_NEW' end)`;

/** Whether a new asset starts with a public link; for queries of `organizations`. */
export const startsPublic = sql<boolean>`${publicLinks} = 'ON_FOR_NEW'`;

/** Whether public links of an organization work; for queries of `organizations`. */
export const allowsPublicLinks = sql<boolean>`${organizations.publicLinks} is distinct from 'FORBIDDEN'`;

/** Whether an organization allows public links at all. */
export async function mayLinkPublicly(tx: Transaction, organizationId: string): Promise<boolean> {
  const [row] = await tx
    .select({ isAllowed: allowsPublicLinks })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return row?.isAllowed ?? false;
}
