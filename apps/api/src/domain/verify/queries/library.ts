import { sql } from 'drizzle-orm';
import { readApart, type Check } from './check.ts';

/** Origins are in other organizations. */
const everyAsset = readApart(sql`select id, organization_id from assets`);

/** Collections, assets, uploads and storage usage. */
export const libraryChecks: readonly Check[] = [
  {
    name: 'versions',
    claim: 'The versions of an asset are numbered from one, and it shows the last',
    violations: sql`
      select 'asset ' || assets.id as subject
      from assets
      left join asset_versions on asset_versions.organization_id = assets.organization_id
        and asset_versions.asset_id = assets.id
      group by assets.organization_id, assets.id
      having count(asset_versions.asset_id) = 0 or min(asset_versions.version_number) <> 1
        or max(asset_versions.version_number) <> count(*)
        or max(asset_versions.version_number) <> assets.current_version
      union all
      select 'asset ' || assets.id || ' tells another content than its current version'
      from assets
      join asset_versions on asset_versions.organization_id = assets.organization_id
        and asset_versions.asset_id = assets.id
        and asset_versions.version_number = assets.current_version
      join stored_objects on stored_objects.organization_id = asset_versions.organization_id
        and stored_objects.id = asset_versions.stored_object_id
      where assets.file_size_bytes <> stored_objects.size_bytes
        or assets.content_type <> asset_versions.content_type
      union all
      select 'asset ' || restored.asset_id || ' version ' || restored.version_number
      from asset_versions as restored
      where restored.restored_from is not null and not exists (
        select 1 from asset_versions as original
        where original.organization_id = restored.organization_id
          and original.asset_id = restored.asset_id
          and original.version_number = restored.restored_from
          and original.stored_object_id = restored.stored_object_id)`,
  },
  {
    name: 'bin',
    claim: 'What lies in a deleted collection is deleted',
    violations: sql`
      select 'asset ' || assets.id as subject
      from assets
      join collections on collections.organization_id = assets.organization_id
        and collections.id = assets.collection_id
      where assets.deleted_at is null and collections.deleted_at is not null`,
  },
  {
    name: 'referenced-objects',
    claim: 'Every stored object is the content of a version',
    violations: sql`
      select 'object ' || stored_objects.key as subject
      from stored_objects
      left join (select distinct organization_id, stored_object_id from asset_versions) as used
        on used.organization_id = stored_objects.organization_id and used.stored_object_id = stored_objects.id
      where used.stored_object_id is null`,
  },
  {
    name: 'shared-objects',
    claim: 'What several organizations have of one object says the same of its content',
    violations: sql`
      select 'object ' || key as subject from stored_objects
      group by key
      having min(size_bytes) <> max(size_bytes) or min(e_tag) <> max(e_tag) or min(checksum) <> max(checksum)`,
  },
  {
    name: 'completed-uploads',
    claim: 'An upload is completed if and only if its object is stored, as a version of its asset',
    violations: sql`
      select 'upload ' || uploads.id as subject
      from uploads
      left join stored_objects on stored_objects.organization_id = uploads.organization_id
        and stored_objects.key = uploads.key
      where (uploads.status = 'COMPLETED') <> (stored_objects.id is not null)
        or (stored_objects.id is not null and stored_objects.size_bytes <> uploads.file_size_bytes)
        or (uploads.status = 'COMPLETED' and not exists (
          select 1 from asset_versions
          where asset_versions.organization_id = uploads.organization_id
            and asset_versions.asset_id = uploads.asset_id
            and asset_versions.stored_object_id = stored_objects.id))`,
  },
  {
    name: 'upload-times',
    // One that has expired is left for the janitor, also for long: the service may have stood still.
    claim: 'No upload may take longer than a day',
    violations: sql`
      select 'upload ' || id || ' may take longer than a day' as subject
      from uploads where expires_at > created_at + interval '1 day'`,
  },
  {
    name: 'storage-usage',
    claim: 'The bytes counted for an organization are those of the distinct objects that it has',
    violations: sql`
      select 'organization ' || organizations.id || ' is counted ' || coalesce(usage.storage_bytes, 0)
        || ' bytes and has ' || coalesce(had.bytes, 0) as subject
      from organizations
      left join organization_usage as usage on usage.organization_id = organizations.id
      left join (
        select organization_id, sum(size_bytes) as bytes
        from (
          select distinct asset_versions.organization_id, stored_objects.id, stored_objects.size_bytes
          from asset_versions
          join stored_objects on stored_objects.organization_id = asset_versions.organization_id
            and stored_objects.id = asset_versions.stored_object_id) as objects
        group by organization_id) as had on had.organization_id = organizations.id
      where coalesce(usage.storage_bytes, 0) <> coalesce(had.bytes, 0)`,
  },
  {
    name: 'library-counts',
    claim: 'The assets and collections counted for an organization are those outside its bin',
    violations: sql`
      select 'organization ' || organizations.id || ' is counted ' || coalesce(usage.asset_count::text, 'no')
        || ' assets and ' || coalesce(usage.collection_count::text, 'no') || ' collections' as subject
      from organizations
      left join organization_usage as usage on usage.organization_id = organizations.id
      left join (select organization_id, count(*) as count from assets where deleted_at is null
        group by organization_id) as files on files.organization_id = organizations.id
      left join (select organization_id, count(*) as count from collections where deleted_at is null
        group by organization_id) as folders on folders.organization_id = organizations.id
      where (usage.asset_count, usage.collection_count)
          <> (coalesce(files.count, 0), coalesce(folders.count, 0))
        or (usage.organization_id is null and (files.count > 0 or folders.count > 0))`,
  },
  {
    name: 'collection-counts',
    claim: 'The assets counted for a collection are those that it has outside the bin',
    violations: sql`
      select 'collection ' || collections.id || ' is counted ' || coalesce(usage.asset_count, 0)
        || ' assets and has ' || coalesce(had.count, 0) as subject
      from collections
      left join collection_usage as usage on usage.organization_id = collections.organization_id
        and usage.collection_id = collections.id
      left join (select organization_id, collection_id, count(*) as count from assets where deleted_at is null
        group by organization_id, collection_id) as had
        on had.organization_id = collections.organization_id and had.collection_id = collections.id
      where coalesce(usage.asset_count, 0) <> coalesce(had.count, 0)`,
  },
  {
    name: 'asset-comment-counts',
    claim: 'The comments counted for an asset are those that it has, and of these the open ones',
    violations: sql`
      select 'asset ' || assets.id || ' is counted ' || assets.comment_count || ' comments and '
        || assets.open_comment_count || ' open ones' as subject
      from assets
      left join (
        select organization_id, asset_id, count(*) as all_comments,
          count(*) filter (where parent_id is null and resolved_at is null) as open_comments
        from asset_comments group by organization_id, asset_id) as had
        on had.organization_id = assets.organization_id and had.asset_id = assets.id
      where (assets.comment_count, assets.open_comment_count)
        <> (coalesce(had.all_comments, 0), coalesce(had.open_comments, 0))`,
  },
  {
    name: 'replies',
    claim: 'A reply is on the same version as its comment, which is no reply',
    violations: sql`
      select 'comment ' || reply.id as subject
      from asset_comments as reply
      join asset_comments as parent on parent.organization_id = reply.organization_id
        and parent.id = reply.parent_id
      where parent.parent_id is not null or parent.asset_id <> reply.asset_id
        or parent.version_number <> reply.version_number`,
  },
  {
    name: 'published-assets',
    claim: 'What is published is a team’s, and comes from a person’s own',
    violations: sql`
      select 'asset ' || published.id as subject
      from assets as published
      join organizations as team on team.id = published.organization_id
      join ${everyAsset} as source on source.id = published.published_from_asset_id
      join organizations as home on home.id = source.organization_id
      where team.type <> 'TEAM' or home.type <> 'PERSONAL'`,
  },
  {
    name: 'published-origins',
    claim: 'What is published comes from an asset that is there, or no longer says where from',
    violations: sql`
      select 'asset ' || published.id as subject
      from assets as published
      left join ${everyAsset} as source on source.id = published.published_from_asset_id
      where published.published_from_asset_id is not null and source.id is null`,
  },
  {
    name: 'avatars',
    claim: 'A picture of a person comes from their completed upload of it',
    violations: sql`
      select 'user ' || users.id as subject
      from users
      where users.avatar_key is not null and not exists (
        select 1 from avatar_uploads
        where avatar_uploads.user_id = users.id and avatar_uploads.avatar_key = users.avatar_key
          and avatar_uploads.status = 'COMPLETED')`,
  },
];
