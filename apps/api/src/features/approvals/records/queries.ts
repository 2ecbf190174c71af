import type { ResourceType } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';

interface RecordKey {
  readonly organizationId: string;
  readonly resourceType: ResourceType;
  readonly id: string;
}

/** Longest name that is shown, in characters: the text of a comment stands for it. */
const maxNameLength = 200;

type NameOf = (key: Omit<RecordKey, 'resourceType'>) => SQL;

/** Selects the name of a record, by what it is. */
const names: Partial<Record<ResourceType, NameOf>> = {
  organization: ({ organizationId, id }) => sql`
    select name from organizations
    where id = ${id}::uuid and id = ${organizationId}::uuid and deleted_at is null`,
  member: ({ organizationId, id }) => sql`
    select users.email as name from memberships join users on users.id = memberships.user_id
    where memberships.organization_id = ${organizationId}::uuid and memberships.id = ${id}::uuid`,
  invitation: ({ organizationId, id }) => sql`
    select email as name from invitations
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  collection: ({ organizationId, id }) => sql`
    select title as name from collections
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and deleted_at is null`,
  asset: ({ organizationId, id }) => sql`
    select name from assets
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and deleted_at is null`,
  asset_comment: ({ organizationId, id }) => sql`
    select body as name from asset_comments
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  project: ({ organizationId, id }) => sql`
    select name from projects where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  task: ({ organizationId, id }) => sql`
    select title as name from tasks where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  comment: ({ organizationId, id }) => sql`
    select body as name from comments
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  label: ({ organizationId, id }) => sql`
    select name from labels where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
};

/**
 * Finds the name of a record.
 *
 * @returns null if it isn't in the organization
 * @throws Error for a type that no tool that needs an approval has: a defect
 */
export async function findName(
  tx: Transaction,
  { resourceType, ...key }: RecordKey,
): Promise<string | null> {
  const nameOf = names[resourceType];
  if (!nameOf) throw new Error(`features/approvals/records/queries.ts has no ${resourceType}`);
  const [row] = await tx.execute<{ name: string }>(nameOf(key));
  return row?.name.slice(0, maxNameLength) ?? null;
}
