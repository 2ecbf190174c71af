import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { shareViews, shares } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { someFile, uploadFile } from '../../testing/library.ts';
import { joinTeam } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { sharesOf } from './testing/teams.ts';

const { api, user } = await setUpApiWithUser();
const { team, daysAfter, inDays } = sharesOf(api, user);
const stored = async (id: string) => {
  const [row] = await api.db.select().from(shares).where(eq(shares.id, id));
  if (!row) throw new Error(`there is no share ${id}`);
  return row;
};
const actionsOf = async (id: string) => (await activitiesOf(api, id)).map(({ action }) => action);

describe('creating a share', () => {
  test('responds 201 with the link, and stores its token only hashed and sealed', async () => {
    const { create, collectionId } = await team();
    const { status, body } = await create({ label: 'For the printer', password: 'printer 4711' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      target: { type: 'COLLECTION', id: collectionId, title: 'Autumn' },
      label: 'For the printer',
      url: expect.stringMatching(/\/share#atls_[0-9A-Za-z]{43}$/),
      hasPassword: true,
      expiresAt: daysAfter(body.data.createdAt, 30),
      allowDownload: false,
      allowComments: false,
      versions: 'CURRENT',
      watermark: null,
      maxOpenings: null,
      openingCount: 0,
      lastOpenedAt: null,
      status: 'ACTIVE',
      createdBy: user.id,
      createdAt: expect.any(String),
      updatedAt: body.data.createdAt,
    });
    const token = String(body.data.url).split('#')[1] ?? '';
    const row = await stored(body.data.id);
    const everything = JSON.stringify(row) + row.token.toString('latin1');
    expect(everything).not.toContain(token.slice(5));
    expect(everything).not.toContain('printer 4711');
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
    const [activity] = await activitiesOf(api, body.data.id);
    expect(activity).toMatchObject({ action: 'share.create', resourceName: 'For the printer' });
    expect(JSON.stringify(activity)).not.toContain(token);
  });

  test('repeats its response under an idempotency key', async () => {
    const { create, list } = await team();
    const headers = { 'idempotency-key': newId() };
    const [first, second] = [await create({}, { headers }), await create({}, { headers })];
    expect(second.body).toEqual(first.body);
    expect((await list()).items).toHaveLength(1);
  });

  test.each([
    { targetType: 'TASK' },
    { targetId: 'none' },
    { label: '' },
    { label: 'x'.repeat(81) },
    { label: 'a\0b' },
    { password: 'short' },
    { password: 'x'.repeat(129) },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2001-01-01' },
    { watermark: 'x'.repeat(61) },
    { maxOpenings: 0 },
    { maxOpenings: 10_001 },
    { versions: 'OLDEST' },
    { allowDownload: 'yes' },
  ])('refuses %j', async (conditions) => {
    const { create, list } = await team();
    const { status, body } = await create(conditions);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect((await list()).items).toEqual([]);
  });

  test('finds no target of another organization, and none in the bin', async () => {
    const ours = await team();
    const theirs = await team();
    expect((await ours.create({ targetId: theirs.collectionId })).status).toBe(404);
    expect((await ours.create({ targetType: 'ASSET' })).status).toBe(404);
    await call(api, 'collections.remove', ours.on(ours.collectionId));
    expect((await ours.create()).status).toBe(404);
  });

  test('refuses the 501st that has not ended', async () => {
    const { organizationId, newShare, create, update, on } = await team();
    const { id } = await newShare();
    await api.db.execute(sql`
      insert into shares (organization_id, id, target_type, target_id, token_hash, token, revision, allow_download,
        allow_comments, versions, created_by, created_at, updated_at)
      select organization_id, gen_random_uuid(), target_type, target_id, sha256(n::text::bytea || ${organizationId}::bytea),
        token, 1, false, false, versions, created_by, created_at, updated_at
      from shares, generate_series(1, 499) as n where organization_id = ${organizationId} and id = ${id}`);
    expect((await create()).body.code).toBe('too_many_shares');
    await call(api, 'shares.remove', on(id));
    const { body } = await create({ expiresAt: inDays(1) });
    expect(body.data.status).toBe('ACTIVE');
    expect((await create()).body.code).toBe('too_many_shares');
    expect((await update(body.data.id, { expiresAt: null })).status).toBe(200);
  });

  test('pins the versions of the day', async () => {
    const { by, organizationId, collectionId, newShare, update } = await team();
    const place = { organizationId, collectionId };
    const asset = await uploadFile(api, user, someFile(10), place);
    const pinned = await newShare({ versions: 'PINNED' });
    await uploadFile(api, user, someFile(10), { ...place, assetId: asset.id });
    const pins = async () =>
      (
        await api.db.execute<{ version_number: number }>(
          sql`select version_number from share_pins where share_id = ${pinned.id}`,
        )
      ).map((row) => row.version_number);
    expect(await pins()).toEqual([1]);
    await update(pinned.id, { label: 'Same versions' });
    expect(await pins()).toEqual([1]);
    await update(pinned.id, { versions: 'CURRENT' });
    expect(await pins()).toEqual([]);
    await update(pinned.id, { versions: 'PINNED' });
    expect(await pins()).toEqual([2]);
    await call(api, 'assets.remove', { ...by, params: { id: asset.id } });
  });
});

describe('changing a share', () => {
  test('takes If-Match, which visits do not change', async () => {
    const { newShare, get, update } = await team();
    const { id } = await newShare();
    const eTag = (await get(id)).headers.get('etag') ?? '';
    await api.db.update(shares).set({ openingCount: 3 }).where(eq(shares.id, id));
    const changed = await update(id, { label: 'New' }, { headers: { 'if-match': eTag } });
    expect([changed.status, changed.body.data.label]).toEqual([200, 'New']);
    const again = await update(id, { label: 'Newer' }, { headers: { 'if-match': eTag } });
    expect(again.body.code).toBe('precondition_failed');
    const current = (await get(id)).headers.get('etag') ?? '';
    const known = await get(id, { headers: { 'if-none-match': current } });
    expect(known.status).toBe(304);
  });

  test('a no-op changes nothing and records nothing', async () => {
    const { newShare, update } = await team();
    const share = await newShare({ label: 'Same' });
    const { body } = await update(share.id, { label: 'Same', expiresAt: share.expiresAt });
    expect(body.data).toEqual(share);
    expect((await update(share.id, { password: null })).body.data).toEqual(share);
    expect((await stored(share.id)).revision).toBe(1);
    expect(await actionsOf(share.id)).toEqual(['share.create']);
  });

  test('a new or removed password ends the visits by the former one', async () => {
    const { newShare, update } = await team();
    const { id } = await newShare({ password: 'printer 4711' });
    expect((await update(id, { password: 'another 4711' })).body.data.hasPassword).toBe(true);
    expect((await stored(id)).revision).toBe(2);
    expect((await update(id, { password: null })).body.data.hasPassword).toBe(false);
    expect(await stored(id)).toMatchObject({ revision: 3, passwordHash: null });
    const texts = JSON.stringify(await activitiesOf(api, id));
    // Not the digits alone: ids have them now and then.
    for (const part of ['printer', 'another', ' 4711', 'argon2']) expect(texts).not.toContain(part);
  });

  test('rotating makes another link, and the former one is nowhere', async () => {
    const { newShare, on } = await team();
    const share = await newShare();
    const { tokenHash } = await stored(share.id);
    const { status, body } = await call(api, 'shares.rotate', on(share.id));
    expect(status).toBe(201);
    expect(body.data.url).not.toBe(share.url);
    expect((await stored(share.id)).tokenHash).not.toEqual(tokenHash);
  });

  test('one that was ended stays listed, and nothing changes it any more', async () => {
    const { newShare, on, get, update, list } = await team();
    const { id } = await newShare();
    const removal = await call(api, 'shares.remove', on(id));
    expect(removal.body.data).toEqual({ id });
    expect((await get(id)).body.data.status).toBe('REVOKED');
    expect((await update(id, { label: 'New' })).body.code).toBe('share_revoked');
    expect((await call(api, 'shares.rotate', on(id))).body.code).toBe('share_revoked');
    expect((await call(api, 'shares.remove', on(id))).status).toBe(404);
    expect((await list({ status: 'REVOKED' })).items).toHaveLength(1);
    expect((await list({ status: 'ACTIVE' })).items).toHaveLength(0);
    expect(await actionsOf(id)).toEqual(expect.arrayContaining(['share.create', 'share.revoke']));
  });

  test('tells that its target is gone, that it has expired, and that it is used up', async () => {
    const { newShare, get, on, collectionId } = await team();
    const [gone, expired, used] = [
      await newShare(),
      await newShare({ expiresAt: inDays(1) }),
      await newShare({ maxOpenings: 1 }),
    ];
    const past = new Date(api.clock.now().getTime() - 1);
    await api.db.update(shares).set({ expiresAt: past }).where(eq(shares.id, expired.id));
    await api.db.update(shares).set({ openingCount: 1 }).where(eq(shares.id, used.id));
    const statusOf = async ({ id }: { id: string }) => (await get(id)).body.data.status;
    expect([await statusOf(gone), await statusOf(expired), await statusOf(used)]).toEqual([
      'ACTIVE',
      'EXPIRED',
      'USED_UP',
    ]);
    await call(api, 'collections.remove', on(collectionId));
    expect(await statusOf(gone)).toBe('TARGET_GONE');
  });
});

describe('the lists', () => {
  test('show members their own, and owners all', async () => {
    const { organizationId, create, newShare, list, get, on } = await team();
    const [member, viewer] = [await newUser(api), await newUser(api)];
    await joinTeam(api, organizationId, member, 'MEMBER');
    await joinTeam(api, organizationId, viewer, 'VIEWER');
    const mine = await newShare();
    const theirs = (await create({}, { token: member.token })).body.data;
    const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    expect(ids(await list())).toEqual([theirs.id, mine.id]);
    expect(ids(await list({ scope: 'personal' }))).toEqual([mine.id]);
    const asMember = { token: member.token };
    const own = await call(api, 'shares.list', { ...asMember, organizationId });
    expect(ids(own.body.data)).toEqual([theirs.id]);
    expect((await get(mine.id, asMember)).body.code).toBe('permission_denied');
    const views = await call(api, 'shares.views', on(mine.id, asMember));
    expect(views.body.code).toBe('permission_denied');
    expect((await get(theirs.id)).status).toBe(200);
    const asViewer = await call(api, 'shares.list', { token: viewer.token, organizationId });
    expect(asViewer.body.code).toBe('permission_denied');
  });

  test('filter by target, and continue by cursor', async () => {
    const { newShare, list, collectionId, organizationId } = await team();
    const asset = await uploadFile(api, user, someFile(10), { organizationId, collectionId });
    const made = [];
    for (let count = 0; count < 3; count += 1) made.push((await newShare()).id);
    await newShare({ targetType: 'ASSET', targetId: asset.id });
    const page = await list({ targetId: collectionId, limit: 2 });
    expect(page.pagination.total).toBe(3);
    const rest = await list({
      targetId: collectionId,
      limit: 2,
      cursor: page.pagination.nextCursor,
    });
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual(made.toReversed());
    const [ofAsset] = (await list({ targetType: 'ASSET' })).items;
    expect(ofAsset.target).toEqual({ type: 'ASSET', id: asset.id, title: asset.assetName });
  });

  test('of public links are complete, and empty where they are forbidden', async () => {
    const { by, organizationId, collectionId } = await team();
    const place = { organizationId, collectionId };
    const asset = await uploadFile(api, user, someFile(10), place);
    const other = await uploadFile(api, user, someFile(10), place);
    const links = async () => (await call(api, 'shares.publicLinks', by)).body.data.items;
    expect(await links()).toEqual([]);
    const enable = { ...by, params: { id: asset.id }, body: { publicLinkEnabled: true } };
    const { body } = await call(api, 'assets.update', enable);
    expect(await links()).toEqual([
      {
        id: asset.id,
        assetName: asset.assetName,
        url: body.data.assetShortUrl,
        createdBy: user.id,
        createdAt: asset.createdAt,
      },
    ]);
    expect(other.publicLinkEnabled).toBe(false);
    await call(api, 'organizations.rename', {
      token: user.token,
      params: { id: organizationId },
      body: { publicLinks: 'FORBIDDEN' },
    });
    expect(await links()).toEqual([]);
  });

  test('of views filter by action and time', async () => {
    const { newShare, on, organizationId } = await team();
    const { id: shareId } = await newShare();
    const ids = [newId(), newId(), newId()];
    await api.db.insert(shareViews).values(
      ids.map((id, index) => ({
        organizationId,
        shareId,
        id,
        at: new Date(Date.UTC(2026, 0, 1 + index)),
        action: index === 1 ? ('DOWNLOADED' as const) : ('OPENED' as const),
        visitorName: 'Grace',
        network: '203.0.113.0/24',
        device: 'Firefox on Linux',
      })),
    );
    const views = async (query: Record<string, string>) =>
      (await call(api, 'shares.views', on(shareId, { query }))).body.data.items;
    expect((await views({})).map((view: { id: string }) => view.id)).toEqual(ids.toReversed());
    expect(await views({ action: 'DOWNLOADED' })).toHaveLength(1);
    expect(await views({ from: '2026-01-02', to: '2026-01-03' })).toEqual([
      expect.objectContaining({ id: ids[1], asset: null, network: '203.0.113.0/24' }),
    ]);
  });
});
