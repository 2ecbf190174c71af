import { sql, type SQL } from 'drizzle-orm';
import {
  assets,
  assetVersions,
  collections,
  comments,
  memberships,
  projects,
  storedObjects,
  tasks,
  users,
} from '../../../db/generated/schema.ts';
import { within, type OrganizationIds } from './scope.ts';

/** What is shown of a hit, as it is now. */
export interface Displayed {
  readonly title: string;
  readonly projectKey: string | null;
  readonly number: number | null;
  readonly status: string | null;
  readonly project: { readonly id: string; readonly name: string } | null;
  readonly collection: { readonly id: string; readonly title: string } | null;
  readonly task: { readonly id: string; readonly title: string } | null;
  readonly tags: string | null;
  readonly body: string | null;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly thumbnailKey: string | null;
  /** As the database writes it. */
  readonly updatedAt: string;
}

/** Characters of a text in which matches are highlighted. */
const bodyLength = sql.raw('20000');

/** Selects the organization and the fields of a row of `page`, in a lateral join. */
export function displayOf(organizationIds: OrganizationIds): SQL {
  const ofPage = (table: SQL) =>
    sql`${within(organizationIds, sql`${table}.organization_id`)} and ${table}.organization_id = page.organization_id`;
  // Joined, it could be missing, which a distributed database accepts only outside of a lateral join.
  const thumbnailKey = sql`(select o.thumbnail_key from ${assetVersions} as v
    join ${storedObjects} as o on ${within(organizationIds, sql`o.organization_id`)}
      and o.organization_id = v.organization_id and o.id = v.stored_object_id
    where ${within(organizationIds, sql`v.organization_id`)} and v.organization_id = a.organization_id
      and v.asset_id = a.id and v.version_number = a.current_version)`;
  return sql`
    select t.organization_id, jsonb_build_object('title', t.title, 'projectKey', p.key, 'number', t.number, 'status', t.status,
      'project', jsonb_build_object('id', p.id, 'name', p.name), 'body', left(t.description, ${bodyLength}),
      'updatedAt', t.updated_at) as fields
    from ${tasks} as t join ${projects} as p on ${ofPage(sql`p`)} and p.id = t.project_id
    where page.type = 'task' and ${ofPage(sql`t`)} and t.id = page.id
    union all
    select m.organization_id, jsonb_build_object('title', t.title, 'projectKey', p.key, 'number', t.number,
      'project', jsonb_build_object('id', p.id, 'name', p.name),
      'task', jsonb_build_object('id', t.id, 'title', t.title), 'body', left(m.body, ${bodyLength}),
      'updatedAt', coalesce(m.edited_at, m.created_at))
    from ${comments} as m join ${tasks} as t on ${ofPage(sql`t`)} and t.id = m.task_id
      join ${projects} as p on ${ofPage(sql`p`)} and p.id = t.project_id
    where page.type = 'comment' and ${ofPage(sql`m`)} and m.id = page.id
    union all
    select a.organization_id, jsonb_build_object('title', a.name, 'collection', jsonb_build_object('id', c.id, 'title', c.title),
      'thumbnailKey', ${thumbnailKey}, 'tags', array_to_string(a.tags, ', '), 'body', left(a.description, ${bodyLength}),
      'updatedAt', a.updated_at)
    from ${assets} as a join ${collections} as c on ${ofPage(sql`c`)} and c.id = a.collection_id
    where page.type = 'asset' and ${ofPage(sql`a`)} and a.id = page.id
    union all
    select c.organization_id, jsonb_build_object('title', c.title, 'updatedAt', c.updated_at)
    from ${collections} as c where page.type = 'collection' and ${ofPage(sql`c`)} and c.id = page.id
    union all
    select p.organization_id, jsonb_build_object('title', p.name, 'projectKey', p.key, 'status', p.status,
      'body', left(p.description, ${bodyLength}), 'updatedAt', p.updated_at)
    from ${projects} as p where page.type = 'project' and ${ofPage(sql`p`)} and p.id = page.id
    union all
    select m.organization_id, jsonb_build_object('email', u.email, 'firstName', u.first_name, 'lastName', u.last_name,
      'updatedAt', m.joined_at)
    from ${memberships} as m join ${users} as u on u.id = m.user_id
    where page.type = 'person' and ${ofPage(sql`m`)} and m.user_id = page.id`;
}
