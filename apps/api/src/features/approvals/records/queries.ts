import type { ResourceType } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';

interface RecordKey {
  readonly organizationId: string;
  readonly resourceType: ResourceType;
  readonly id: string;
}

/** Longest name, in characters. A comment is named by the start of its text. */
const maxNameLength = 200;

/** Selects the name of a record, and whose it is. */
type Selection = (key: Omit<RecordKey, 'resourceType'>) => SQL;

/** By what the tools that need an approval name. */
const selections: Partial<Record<ResourceType, Selection>> = {
  organization: ({ organizationId, id }) => sql`
    select name, null::uuid as created_by from organizations
    where id = ${id}::uuid and id = ${organizationId}::uuid and deleted_at is null`,
  member: ({ organizationId, id }) => sql`
    select users.email as name, users.id as created_by from memberships join users on users.id = memberships.user_id
    where memberships.organization_id = ${organizationId}::uuid and memberships.id = ${id}::uuid`,
  invitation: ({ organizationId, id }) => sql`
    select email as name, invited_by as created_by from invitations
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  collection: ({ organizationId, id }) => sql`
    select title as name, created_by from collections
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and deleted_at is null`,
  asset: ({ organizationId, id }) => sql`
    select name, created_by from assets
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid and deleted_at is null`,
  asset_comment: ({ organizationId, id }) => sql`
    select body as name, author_id as created_by from asset_comments
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  project: ({ organizationId, id }) => sql`
    select name, created_by from projects
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  task: ({ organizationId, id }) => sql`
    select title as name, created_by from tasks
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  comment: ({ organizationId, id }) => sql`
    select body as name, author_id as created_by from comments
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  label: ({ organizationId, id }) => sql`
    select name, created_by from labels
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
};

/** A record as a person recognizes it. */
export interface FoundRecord {
  readonly name: string;
  /** Whose it is, for roles that reach only their own: its author, or the member. Null: a comment of a guest, an organization. */
  readonly createdBy: string | null;
}

/**
 * Finds what an id identifies.
 *
 * @returns null if it isn't in the organization
 * @throws Error for a type that no tool that needs an approval names: a defect
 */
export async function findRecord(
  tx: Transaction,
  { resourceType, ...key }: RecordKey,
): Promise<FoundRecord | null> {
  const selection = selections[resourceType];
  if (!selection) throw new Error(`features/approvals/records/queries.ts has no ${resourceType}`);
  const [row] = await tx.execute<{ name: string; created_by: string | null }>(selection(key));
  return row ? { name: row.name.slice(0, maxNameLength), createdBy: row.created_by } : null;
}
