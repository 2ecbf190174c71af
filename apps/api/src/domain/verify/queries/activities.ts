import { sql, type SQL } from 'drizzle-orm';
import { readApart, type Check } from './check.ts';

/** Activities of resources older than the oldest activity may have been dropped, the same months of both tables. */
const recordedSince = sql`least((select coalesce(min(created_at), 'infinity') from activities),
  (select coalesce(min(created_at), 'infinity') from account_activities))`;

interface Creation {
  /** The name of the resource. */
  readonly noun: string;
  readonly rows: SQL;
  readonly actions: SQL;
  /** Creating it again renews it, and is recorded as a creation. */
  readonly isRenewable?: boolean;
}

/** Selects rows with `id` and `created_at`, and the actions that create one. */
const creations: readonly Creation[] = [
  {
    noun: 'organization',
    rows: sql`select id, created_at from organizations where type = 'TEAM'`,
    actions: sql`'organization.create'`,
  },
  {
    noun: 'member',
    // Creating a team includes joining it.
    rows: sql`
      select memberships.id, memberships.joined_at as created_at
      from memberships join organizations on organizations.id = memberships.organization_id
      where memberships.joined_at <> organizations.created_at and not memberships.is_service`,
    actions: sql`'member.join'`,
  },
  {
    noun: 'service account',
    rows: sql`select id, created_at from users where kind = 'SERVICE'`,
    actions: sql`'service_account.create'`,
  },
  {
    noun: 'invitation',
    rows: sql`select id, created_at from invitations`,
    actions: sql`'invitation.create'`,
    isRenewable: true,
  },
  {
    noun: 'collection',
    // Publishing creates a default collection, and is recorded only as a publication.
    rows: sql`
      select collections.id, collections.created_at from collections
      left join (select distinct organization_id, created_at from activities where action = 'asset.publish') as publication
        on publication.organization_id = collections.organization_id
          and publication.created_at = collections.created_at
      where publication.created_at is null`,
    actions: sql`'collection.create'`,
  },
  {
    noun: 'project',
    rows: sql`select id, created_at from projects`,
    actions: sql`'project.create'`,
  },
  { noun: 'task', rows: sql`select id, created_at from tasks`, actions: sql`'task.create'` },
  {
    noun: 'comment',
    rows: sql`select id, created_at from comments`,
    actions: sql`'comment.create'`,
  },
  {
    noun: 'asset_comment',
    rows: sql`select id, created_at from asset_comments`,
    actions: sql`'asset_comment.create'`,
  },
  {
    noun: 'upload',
    // Recorded only once the storage has created it.
    rows: sql`select id, created_at from uploads where storage_upload_id is not null`,
    actions: sql`'upload.initiate'`,
  },
];

/** The tables of deleted resources, by the actions that delete them or their parents. */
const deletions = [
  { noun: 'organization', table: 'organizations', end: null, byContainer: null },
  { noun: 'collection', table: 'collections', end: 'collection.delete', byContainer: null },
  { noun: 'asset', table: 'assets', end: 'asset.delete', byContainer: ['collection.delete'] },
  { noun: 'project', table: 'projects', end: 'project.delete', byContainer: null },
  { noun: 'task', table: 'tasks', end: 'task.delete', byContainer: ['project.delete'] },
  {
    noun: 'comment',
    table: 'comments',
    end: 'comment.delete',
    byContainer: ['task.delete', 'project.delete'],
  },
  {
    noun: 'asset_comment',
    table: 'asset_comments',
    end: 'asset_comment.delete',
    // Replies are deleted with their comment.
    byContainer: ['asset_comment.delete', 'asset.delete', 'collection.delete'],
  },
  { noun: 'invitation', table: 'invitations', end: null, byContainer: null },
] as const;

/** Mutations and their rows in the activities. */
export const activityChecks: readonly Check[] = [
  {
    name: 'creations-are-recorded',
    claim:
      'Everything that was made has the one activity of that, or one for each time it was renewed',
    violations: sql.join(creations.map(unrecorded), sql` union all `),
  },
  {
    name: 'recorded-creations-are-there',
    claim: 'Everything that an activity made is there, or was deleted since',
    violations: sql.join(
      [
        ...deletions.map(vanished),
        sql`
        select 'user ' || resource_id as subject from account_activities
        where action = 'user.register' and not exists (select from users where users.id = resource_id)`,
      ],
      sql` union all `,
    ),
  },
  {
    name: 'activities-are-of-organizations',
    claim: 'The organization of every activity is there',
    // No foreign key says so.
    violations: sql`
      select 'activity ' || activities.id || ' of ' || organization_id as subject
      from activities
      where not exists (select 1 from organizations where organizations.id = organization_id)`,
  },
  {
    name: 'registrations-are-recorded',
    claim: 'Every person has an activity of its registration',
    violations: sql`
      select 'user ' || users.id as subject from users
      where users.kind = 'PERSON' and users.created_at >= ${recordedSince}
        and not exists (
          select 1 from account_activities
          where account_activities.resource_id = users.id and account_activities.action = 'user.register')`,
  },
  {
    name: 'logins-are-recorded',
    claim: 'Every session has the one activity of its sign-in',
    violations: sql`
      select 'session ' || sessions.id || ' has ' || count(logins.id) as subject
      from sessions
      left join account_activities as logins on logins.action = 'user.login'
        and logins.resource_id = sessions.user_id
        and logins.metadata ->> 'sessionId' = sessions.id::text
      where sessions.created_at >= ${recordedSince}
      group by sessions.id having count(logins.id) <> 1`,
  },
  {
    name: 'versions-are-recorded',
    claim: 'Every version of an asset has the one activity that added it',
    violations: sql`
      with added as (
        select resource_id as asset_id, created_at,
          coalesce(metadata ->> 'versionNumber', changes -> 0 ->> 'to')::int as version_number
        from activities
        where action in ('asset.create', 'asset.add_version', 'asset.publish', 'asset.restore_version'))
      select 'asset ' || asset_versions.asset_id || ' version ' || asset_versions.version_number
        || ' has ' || count(added.asset_id) as subject
      from asset_versions
      left join added on added.asset_id = asset_versions.asset_id
        and added.version_number = asset_versions.version_number
      where asset_versions.created_at >= ${recordedSince}
      group by asset_versions.asset_id, asset_versions.version_number
      having count(added.asset_id) <> 1
      union all
      select 'asset ' || added.asset_id || ' lacks version ' || added.version_number
      from added join assets on assets.id = added.asset_id
      where not exists (
        select 1 from asset_versions
        where asset_versions.organization_id = assets.organization_id
          and asset_versions.asset_id = added.asset_id
          and asset_versions.version_number = added.version_number)`,
  },
  {
    name: 'invitations-are-accepted-by-joining',
    claim: 'An invitation is accepted if and only if an account joined by it',
    violations: sql`
      select 'invitation ' || invitations.id as subject
      from invitations
      left join activities on activities.organization_id = invitations.organization_id
        and activities.action = 'member.join' and activities.metadata ->> 'invitationId' = invitations.id::text
      where invitations.created_at >= ${recordedSince}
        and (invitations.status = 'ACCEPTED') <> (activities.id is not null)`,
  },
  {
    name: 'one-activity-per-mutation',
    claim: 'A transaction records one mutation',
    // Signing in may also create an account, link it, and appoint an administrator. Rows of a restored
    // database share the id of a transaction, and those of one request id may be of several mutations.
    violations: sql`
      select 'transaction ' || transaction_id || ' has ' || string_agg(action, ', ' order by id) as subject
      from (select transaction_id, request_id, action, id, resource_type, created_at from activities
        union all select transaction_id, request_id, action, id, resource_type, created_at from account_activities) as recorded
      group by transaction_id, request_id, created_at
      having count(*) > 1 and not bool_and(resource_type = 'user')`,
  },
];

function unrecorded({ noun, rows, actions, isRenewable = false }: Creation): SQL {
  const isWrong = isRenewable ? sql`count(activities.id) = 0` : sql`count(activities.id) <> 1`;
  return sql`
    select ${noun}::text || ' ' || made.id || ' has ' || count(activities.id) as subject
    from ${readApart(rows)} as made
    left join activities on activities.resource_id = made.id and activities.action in (${actions})
    where made.created_at >= ${recordedSince}
    group by made.id having ${isWrong}`;
}

function vanished({ noun, table, end, byContainer }: (typeof deletions)[number]): SQL {
  const containers = [...(byContainer ?? []), 'organization.delete'];
  const places = readApart(sql`select id from ${sql.identifier(table)}`);
  return sql`
    select ${noun}::text || ' ' || made.resource_id as subject
    from activities as made
    left join ${places} as there on there.id = made.resource_id
    where made.action = ${`${noun}.create`} and there.id is null
      and not exists (
        select 1 from activities as ended
        where ended.organization_id = made.organization_id and ended.resource_id = made.resource_id
          and ended.action = ${end ?? ''})
      and not exists (
        select 1 from activities as ended
        where ended.organization_id = made.organization_id and ended.action in ${containers})`;
}
