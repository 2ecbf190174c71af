import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { TestUser } from './accounts.ts';
import { call, type CallOptions, type TestApi } from './api.ts';

/** Publishes into an organization as a user. */
export const publish = (
  api: TestApi,
  { user, assetId, ...options }: { user: TestUser; assetId: string } & CallOptions,
) => call(api, 'assets.publish', { token: user.token, params: { id: assetId }, ...options });

export async function newTeamCollection(
  api: TestApi,
  user: TestUser,
  organizationId: string,
): Promise<string> {
  const { status, body } = await call(api, 'collections.create', {
    token: user.token,
    organizationId,
    body: { title: 'Shared' },
  });
  expect(status).toBe(201);
  return body.data.id;
}

/** Returns the bytes that an organization uses: the counter, and the sum over its versions' objects. */
export async function usageOf(api: TestApi, organizationId: string) {
  const [row] = await api.db.execute<{ counted: number; summed: number }>(sql`
    select
      (select coalesce(sum(storage_bytes), 0)::int from organization_usage
        where organization_id = ${organizationId}) as counted,
      (select coalesce(sum(size_bytes), 0)::int from stored_objects where id in (
        select stored_object_id from asset_versions where organization_id = ${organizationId}
      )) as summed`);
  return row;
}

/** Returns an organization's assets with a source, oldest first, with the storage key of each version. */
export async function publishedFrom(api: TestApi, sourceAssetId: string, organizationId: string) {
  return [
    ...(await api.db.execute<{ id: string; current: number; objects: string[] }>(sql`
      select a.id, a.current_version as current, (
        select array_agg(o.key order by v.version_number)
        from asset_versions v join stored_objects o on o.organization_id = v.organization_id and o.id = v.stored_object_id
        where v.asset_id = a.id
      ) as objects
      from assets a
      where a.published_from_asset_id = ${sourceAssetId} and a.organization_id = ${organizationId}
      order by a.created_at, a.id`)),
  ];
}

/** Returns the storage keys of an asset's versions, the first version's first. */
export async function objectsOf(api: TestApi, assetId: string): Promise<string[]> {
  const rows = await api.db.execute<{ object: string }>(sql`
    select o.key as object from asset_versions v
    join stored_objects o on o.organization_id = v.organization_id and o.id = v.stored_object_id
    where v.asset_id = ${assetId} order by v.version_number`);
  return rows.map(({ object }) => object);
}

export async function publicationsIn(api: TestApi, organizationId: string) {
  return [
    ...(await api.db.execute(sql`
      select actor_id, resource_id, resource_name, metadata from activities
      where organization_id = ${organizationId} and action = 'asset.publish'
      order by created_at, id`)),
  ];
}
