import { roles, type Permission, type Reach } from '@atelier/contract';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import { memberships } from '../../db/schema/index.ts';
import { reachOf } from '../permissions.ts';

/** Whether a role may touch a record: what `assertMayTouch` decides, as a condition of a statement. */
export function mayTouch(
  permission: Permission,
  { role, userId, createdBy }: { role: SQL; userId: SQL; createdBy: SQL },
): SQL {
  return sql`(${role} = any(${rolesThatReach(permission, 'any')})
    or ${role} = any(${rolesThatReach(permission, 'own')}) and ${createdBy} = ${userId})`;
}

function rolesThatReach(permission: Permission, reach: Reach): SQL {
  const reaching = roles.filter((role) => reachOf(role, permission) === reach);
  return sql.raw(`'{${reaching.join(',')}}'`);
}

/** The role of an active member; null for anybody else. */
export async function findRole(
  tx: Transaction,
  member: { organizationId: string; userId: string },
) {
  const [row] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, member.organizationId),
        eq(memberships.userId, member.userId),
        eq(memberships.status, 'ACTIVE'),
      ),
    );
  return row?.role ?? null;
}
