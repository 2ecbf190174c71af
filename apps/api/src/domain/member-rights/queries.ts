import { roles, type Permission, type Reach } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import { reachOf } from '../../kernel/permissions.ts';

/** Whether a role may touch a record: the rule of `assertMayTouch` as a condition of a statement. */
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
