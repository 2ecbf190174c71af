const late = `(select id from users where email like 'late-%')`;
const lateTeam = `(select id from organizations where name = 'Late' and type = 'TEAM')`;
const lateSession = `(select session_id from refresh_tokens where user_id = ${late} and revoked_at is not null)`;
const lateAsset = `(select id from assets where created_by = ${late})`;
const lateProject = `(select id from projects where name = 'Late')`;

/**
 * Statements that violate invariants, in a database where a user `late` left data everywhere: the
 * check that reports it, a description, and the checks that detect it as well.
 */
export const corruptions: readonly [
  check: string,
  what: string,
  corruption: string,
  beside?: string[],
][] = [
  [
    'references',
    'a lost author',
    `update comments set author_id = gen_random_uuid() where body = 'Late'`,
  ],
  [
    'shares',
    'one that the policy no longer allows',
    `update organizations set shares_need_password = true where id in (select organization_id from shares where created_by = ${late})`,
  ],
  [
    'shares',
    'a visit by a password that is not set yet',
    `insert into share_tickets (organization_id, ticket_hash, share_id, share_revision, expires_at) select organization_id, token_hash, id, revision + 1, now() from shares where created_by = ${late}`,
  ],
  [
    'second-factors',
    'a second factor that nothing proves',
    `update users set has_second_factor = true where email like 'late-%'`,
  ],
  [
    'kept-emails',
    'one that another account has',
    `insert into email_changes (user_id, step, old_email, changed_at) select ${late}, 1, email, now() from users where email like 'guest-%'`,
  ],
  [
    'unique-keys',
    'a rank twice',
    `alter table tasks drop constraint tasks_rank; update tasks set rank = 'a0' where project_id = ${lateProject}`,
  ],
  [
    'unique-keys',
    'a hash of a link twice',
    `alter table invitation_tokens drop constraint invitation_tokens_organization_id_invitation_id_token_hash_pk; insert into invitation_tokens select * from invitation_tokens limit 1`,
    ['unique-everywhere'],
  ],
  ['unique-everywhere', 'one code for all links', `update assets set short_code = 'late'`],
  [
    'personal-organizations',
    'a guest in one',
    `insert into memberships (id, organization_id, user_id, role, joined_at) select gen_random_uuid(), o.id, (select id from users where email like 'guest-%'), 'ADMIN', o.created_at from organizations o where o.owner_id = ${late} and o.type = 'PERSONAL'`,
  ],
  [
    'personal-organizations',
    'none',
    `update organizations set type = 'TEAM' where owner_id = ${late} and type = 'PERSONAL'`,
    ['creations-are-recorded'],
  ],
  [
    'deleted-accounts',
    'a text that was kept',
    `update account_activities set resource_name = 'gone@example.com' where action = 'user.register' and resource_id = (select id from users where account_status = 'DELETED')`,
  ],
  [
    'deleted-accounts',
    'an identity that still signs in',
    `insert into identities (provider, subject, user_id, created_at) select 'google', 'gone', id, now() from users where account_status = 'DELETED'`,
  ],
  [
    'deleted-accounts',
    'one without its tombstone in the history',
    `delete from erased_subjects where id = user_id`,
  ],
  [
    'deleted-accounts',
    'a collection at home',
    `insert into collections select (json_populate_record(collections, json_build_object('id', gen_random_uuid(), 'organization_id', (select organizations.id from organizations join users on users.id = owner_id where account_status = 'DELETED'), 'deleted_at', now()))).* from collections where created_by = ${late} limit 1`,
    ['creations-are-recorded'],
  ],
  [
    'deleted-accounts',
    'a stored response',
    `update idempotency_keys set scope = (select id::text from users where account_status = 'DELETED') where key = 'late'`,
  ],
  [
    'deleted-accounts',
    'a committed response',
    `insert into committed_responses select organizations.id, users.id::text, 'tasks.create', 'k', '', 201, '{}', '', now() from organizations join users on users.id = owner_id where account_status = 'DELETED'`,
  ],
  [
    'deleted-accounts',
    'an invitation to an address of it',
    `update invitations set account_id = (select id from users where account_status = 'DELETED') where status = 'ACCEPTED' and organization_id = ${lateTeam}`,
  ],
  [
    'service-accounts',
    'a deleted one that signs in',
    `update users set account_status = 'VERIFIED' where kind = 'SERVICE'`,
  ],
  [
    'team-owners',
    'a suspended owner',
    `update memberships set status = 'SUSPENDED' where organization_id = ${lateTeam} and role = 'OWNER'`,
    ['open-invitations'],
  ],
  [
    'team-owners',
    'members of a deleted team',
    `update organizations set deleted_at = now() where id = ${lateTeam}`,
    ['deleted-organizations'],
  ],
  [
    'open-invitations',
    'ownership from the hands of a member',
    `update invitations set role = 'OWNER', invited_by = (select id from users where email like 'guest-%') where organization_id = ${lateTeam} and status = 'PENDING'`,
  ],
  [
    'open-invitations',
    'one of an account that is no member',
    `update invitations set role = 'VIEWER', invited_by = (select id from users where email like 'stranger-%') where organization_id = ${lateTeam} and status = 'PENDING'`,
  ],
  [
    'creations-are-recorded',
    'an invitation without an activity',
    `delete from activities where action = 'invitation.create' and organization_id = ${lateTeam} and resource_name = 'invited-twice@example.com'`,
  ],
  [
    'refresh-rotation',
    'a token used twice, with its two successors',
    `insert into refresh_tokens (jti, session_id, user_id, issued_at, expires_at, revoked_at) select gen_random_uuid(), session_id, user_id, issued_at + interval '1 second', expires_at, now() from refresh_tokens where session_id = ${lateSession} and revoked_at is null`,
  ],
  [
    'refresh-rotation',
    'two usable tokens',
    `update refresh_tokens set revoked_at = null where session_id = ${lateSession}`,
  ],
  [
    'refresh-rotation',
    'a usable token of an ended session',
    `update sessions set ended_at = now() where id = ${lateSession}`,
  ],
  [
    'token-owners',
    'a token of another',
    `update refresh_tokens set user_id = (select id from users where email like 'guest-%') where session_id = ${lateSession} and revoked_at is null`,
  ],
  [
    'mailed-links',
    'an account verified twice',
    `insert into account_activities select (json_populate_record(account_activities, json_build_object('id', gen_random_uuid(), 'request_id', 'again'))).* from account_activities where action = 'user.verify_email' and resource_id = ${late}`,
  ],
  [
    'mailed-links',
    'an invitation accepted twice',
    `insert into activities select (json_populate_record(activities, json_build_object('id', gen_random_uuid(), 'request_id', 'again', 'resource_id', gen_random_uuid()))).* from activities where action = 'member.join' and organization_id = ${lateTeam}`,
  ],
  [
    'creations-are-recorded',
    'a comment without an activity',
    `delete from activities where action = 'comment.create' and resource_id in (select id from comments where body = 'Late')`,
  ],
  [
    'creations-are-recorded',
    'a task recorded twice',
    `insert into activities select (json_populate_record(activities, json_build_object('id', gen_random_uuid(), 'request_id', 'again'))).* from activities where action = 'task.create' and resource_id in (select id from tasks where project_id = ${lateProject}) limit 1`,
  ],
  ['recorded-creations-are-there', 'a lost comment', `delete from comments where body = 'Late'`],
  [
    'recorded-creations-are-there',
    'a lost project',
    `delete from comments where body = 'Late'; delete from task_assignees where user_id = ${late}; delete from tasks where project_id = ${lateProject}; delete from column_sections where project_id = ${lateProject}; delete from projects where name = 'Late'`,
  ],
  [
    'activities-are-of-organizations',
    'one of none',
    `update activities set organization_id = gen_random_uuid() where action = 'share.create' and actor_id = ${late}`,
  ],
  [
    'registrations-are-recorded',
    'an account from nowhere',
    `delete from account_activities where action = 'user.register' and resource_id = ${late}`,
  ],
  [
    'logins-are-recorded',
    'a session from nowhere',
    `delete from account_activities where action = 'user.login' and resource_id = ${late}`,
  ],
  [
    'versions-are-recorded',
    'a version from nowhere',
    `delete from activities where action = 'asset.create' and resource_id = ${lateAsset}`,
  ],
  [
    'versions-are-recorded',
    'a lost version',
    `insert into activities select (json_populate_record(activities, json_build_object('id', gen_random_uuid(), 'request_id', 'again', 'action', 'asset.add_version', 'metadata', '{"versionNumber":2}'::json))).* from activities where action = 'asset.create' and resource_id = ${lateAsset}`,
  ],
  [
    'invitations-are-accepted-by-joining',
    'one that is still pending',
    `update invitations set status = 'PENDING', email = 'open-again@example.com' where organization_id = ${lateTeam} and status = 'ACCEPTED'`,
  ],
  [
    'deleted-organizations',
    'an offer of a team that is gone',
    `update organizations set deleted_at = now() where name = 'Other'; delete from memberships where organization_id in (select id from organizations where name = 'Other')`,
    ['open-invitations'],
  ],
  [
    'one-activity-per-mutation',
    'a mutation with two',
    `insert into activities select (json_populate_record(activities, json_build_object('id', gen_random_uuid(), 'action', 'task.update'))).* from activities where action = 'task.create' and resource_id in (select id from tasks where project_id = ${lateProject}) limit 1`,
  ],
  [
    'versions',
    'a current version that is not there',
    `update assets set current_version = 2 where id = ${lateAsset}`,
  ],
  ['versions', 'another size', `update assets set file_size_bytes = 1 where id = ${lateAsset}`],
  [
    'bin',
    'an asset left behind',
    `update collections set deleted_at = now() where created_by = ${late}`,
    ['library-counts'],
  ],
  [
    'referenced-objects',
    'an object without a version',
    `insert into stored_objects (organization_id, id, key, size_bytes, e_tag, created_at) select ${lateTeam}, gen_random_uuid(), 'collection/lost', 1, 'x', now()`,
    ['stored-objects'],
  ],
  [
    'shared-objects',
    'one with another content for each organization',
    `insert into stored_objects (organization_id, id, key, size_bytes, e_tag, created_at) select organizations.id, gen_random_uuid(), key, size_bytes, 'other', now() from stored_objects join organizations on organizations.id <> organization_id where stored_objects.id in (select stored_object_id from asset_versions where asset_id = ${lateAsset}) limit 1`,
    ['referenced-objects'],
  ],
  [
    'completed-uploads',
    'an upload that forgot its asset',
    `update uploads set status = 'ABORTED', asset_id = null where asset_id = ${lateAsset}`,
  ],
  [
    'upload-times',
    'an upload that may take two days',
    `update uploads set expires_at = created_at + interval '2 days' where status = 'ACTIVE'`,
  ],
  [
    'storage-usage',
    'a byte too many',
    `update organization_usage set storage_bytes = storage_bytes + 1 where organization_id = (select organization_id from assets where id = ${lateAsset})`,
  ],
  [
    'storage-usage',
    'a lost counter',
    `delete from organization_usage where organization_id = (select organization_id from assets where id = ${lateAsset})`,
    ['library-counts'],
  ],
  [
    'library-counts',
    'an asset too many',
    `update organization_usage set asset_count = asset_count + 1 where organization_id = (select organization_id from assets where id = ${lateAsset})`,
  ],
  [
    'library-counts',
    'a collection that no trigger saw',
    `update collections set deleted_at = now() where created_by = ${late}; update assets set deleted_at = now() where created_by = ${late}`,
    ['collection-counts'],
  ],
  [
    'collection-counts',
    'an asset of a collection too many',
    `update collection_usage set asset_count = asset_count + 1 where collection_id = (select collection_id from assets where id = ${lateAsset})`,
  ],
  [
    'collection-counts',
    'assets that no row counts',
    `delete from collection_usage where collection_id = (select collection_id from assets where id = ${lateAsset})`,
  ],
  [
    'asset-comment-counts',
    'a comment too many',
    `update assets set comment_count = comment_count + 1 where id = ${lateAsset}`,
  ],
  [
    'asset-comment-counts',
    'a resolved comment that is counted as open',
    `update asset_comments set resolved_at = now(), resolved_by = author_id where body = 'Late' and parent_id is null`,
  ],
  [
    'replies',
    'a reply to a reply',
    `update asset_comments set parent_id = id where body = 'Late reply'`,
  ],
  [
    'creations-are-recorded',
    'a comment on an asset without an activity',
    `delete from activities where action = 'asset_comment.create' and resource_id in (select id from asset_comments where body = 'Late')`,
  ],
  [
    'task-counts',
    'a task too many',
    `update projects set task_counts[2] = task_counts[2] + 1 where name = 'Late'`,
  ],
  [
    'subtask-counts',
    'a subtask too many',
    `update tasks set subtask_count = subtask_count + 1 where project_id = ${lateProject}`,
  ],
  [
    'published-assets',
    'published from a team',
    `update assets set published_from_asset_id = ${lateAsset} where id = ${lateAsset}`,
  ],
  [
    'published-origins',
    'published from an asset that is gone',
    `update assets set published_from_asset_id = gen_random_uuid() where id = ${lateAsset}`,
  ],
  ['avatars', 'a picture from nowhere', `delete from avatar_uploads where user_id = ${late}`],
  [
    'places',
    'no place',
    `update tasks set rank = '' where project_id = ${lateProject} and number = 1`,
  ],
  [
    'places',
    'a number that comes again',
    `update projects set next_task_number = 1 where name = 'Late'`,
  ],
  [
    'sections',
    'a section that miscounts',
    `update column_sections set task_count = task_count + 1 where project_id = ${lateProject}`,
  ],
  [
    'assignees',
    'a stranger at work',
    `update task_assignees set user_id = (select id from users where email like 'guest-%') where user_id = ${late}`,
  ],
  [
    'idempotency-responses',
    'half a response',
    `update idempotency_keys set body = null where key = 'late'`,
  ],
  [
    'stored-objects',
    'a picture that is not stored',
    `update users set avatar_key = 'avatar/lost' where id = ${late}; update avatar_uploads set avatar_key = 'avatar/lost' where user_id = ${late}`,
    ['known-objects'],
  ],
  [
    'object-sizes',
    'an object of another size',
    `update stored_objects set size_bytes = 5 where id in (select stored_object_id from asset_versions where asset_id = ${lateAsset})`,
    ['versions', 'completed-uploads', 'storage-usage'],
  ],
];
