import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { shares, shareTickets, shareViews } from '../../../db/generated/schema.ts';
import { shareTokens } from '../../../domain/shares/tokens.ts';
import { keepShares } from '../../../jobs/shares/keep.ts';
import { newId } from '../../../kernel/ids.ts';
import { call } from '../../../testing/api.ts';
import { someFile, uploadFile } from '../../../testing/library.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { visitsOf } from './testing.ts';

const { api, user } = await setUpApiWithUser();
const { team, open, visit, withTicket } = visitsOf(api, user);

describe('opening a share', () => {
  test('shows what it is, and neither emails nor ids of people', async () => {
    const { newShare, organizationId } = await team();
    const share = await newShare({ label: '<b>\u202eFor you</b>' });
    const { status, body, headers } = await open(share);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ticket: expect.stringMatching(/^atlv_[0-9A-Za-z]{43}$/),
      expiresAt: expect.any(String),
      share: {
        type: 'COLLECTION',
        title: 'Autumn',
        label: '<b>\u202eFor you</b>',
        organizationName: expect.any(String),
        sharedBy: expect.any(String),
        allowDownload: false,
        allowComments: false,
        expiresAt: share.expiresAt,
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    const seen = JSON.stringify(body.data);
    for (const hidden of [user.id, user.email, organizationId, share.id]) {
      expect(seen).not.toContain(hidden);
    }
    const { share: shared } = withTicket(body.data.ticket);
    expect((await shared()).body.data).toEqual(body.data.share);
    const [row] = await api.db
      .select()
      .from(shareTickets)
      .where(eq(shareTickets.shareId, share.id));
    expect(row?.ticketHash.toString('latin1')).not.toContain(body.data.ticket);
  });

  test('has a title with markup as text of JSON, which no page and no cache keeps', async () => {
    const { by, collectionId, newShare } = await team();
    const title = '"><meta http-equiv=refresh content="0;url=https://evil.example">';
    const renamed = { ...by, params: { id: collectionId }, body: { title } };
    expect((await call(api, 'collections.rename', renamed)).status).toBe(200);
    const opened = await open(await newShare({ label: '<script>alert(1)</script>' }));
    expect(opened.body.data.share).toMatchObject({ title, label: '<script>alert(1)</script>' });
    expect(opened.headers.get('content-type')).toMatch(/^application\/json/);
    expect(opened.headers.get('x-content-type-options')).toBe('nosniff');
    expect(opened.headers.get('cache-control')).toContain('no-store');
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('needs the password, and says nothing else without it', async () => {
    const { newShare } = await team();
    const share = await newShare({ password: 'printer 4711' });
    expect((await open(share)).body).toMatchObject({ code: 'share_password_required' });
    const wrong = await open(share, { password: 'printer 4712' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'share_password_wrong']);
    expect(wrong.text).not.toContain('Autumn');
    const { share: shared } = await visit(share, { password: 'printer 4711' });
    expect((await shared()).status).toBe(200);
  });

  test('gives exactly as many tickets as it may be opened', async () => {
    const { newShare } = await team();
    const share = await newShare({ maxOpenings: 3 });
    const opened = await Promise.all(Array.from({ length: 20 }, () => open(share)));
    const outcomes = opened.map(({ status }) => status).toSorted();
    expect(outcomes).toEqual([...Array(3).fill(200), ...Array(17).fill(404)]);
    const [row] = await api.db.select().from(shares).where(eq(shares.id, share.id));
    expect(row?.openingCount).toBe(3);
    const tickets = await api.db
      .select()
      .from(shareTickets)
      .where(eq(shareTickets.shareId, share.id));
    expect(tickets).toHaveLength(3);
  });

  test('ends when it may be opened less often than it was', async () => {
    const { newShare, change } = await team();
    const share = await newShare();
    for (let visits = 0; visits < 3; visits += 1) await visit(share);
    const lowered = await change(share.id, { maxOpenings: 1 });
    expect([lowered.status, lowered.body.data]).toMatchObject([
      200,
      { maxOpenings: 1, openingCount: 3, status: 'USED_UP' },
    ]);
    expect((await open(share)).status).toBe(404);
    await change(share.id, { maxOpenings: 4 });
    await visit(share);
    expect((await open(share)).status).toBe(404);
  });

  test.each([
    {},
    { token: '' },
    { token: 'x'.repeat(1025) },
    { token: 1 },
    { token: 'a\0b' },
    { token: 'atls_', password: 'x'.repeat(1025) },
    { token: 'atls_', visitorName: 'x'.repeat(61) },
  ])('refuses %j', async (body) => {
    expect((await call(api, 'shares.open', { body })).status).toBe(400);
  });

  test('responds alike to tokens that are unknown, ended, expired, used up or without a target', async () => {
    const { by, newShare, newAsset } = await team();
    const asset = await newAsset();
    const [ended, expired, used, rotated, gone] = [
      await newShare(),
      await newShare(),
      await newShare({ maxOpenings: 1 }),
      await newShare(),
      await newShare({ targetType: 'ASSET', targetId: asset.id }),
    ];
    await call(api, 'shares.remove', { ...by, params: { id: ended.id } });
    const past = new Date(api.clock.now().getTime() - 1);
    await api.db.update(shares).set({ expiresAt: past }).where(eq(shares.id, expired.id));
    await visit(used);
    await call(api, 'shares.rotate', { ...by, params: { id: rotated.id } });
    await call(api, 'assets.remove', { ...by, params: { id: asset.id } });
    const unknown = { url: `#atls_${'x'.repeat(43)}` };
    const answers = new Set<string>();
    for (const share of [unknown, ended, expired, used, rotated, gone]) {
      const { status, body } = await open(share, { password: 'any password' });
      answers.add(JSON.stringify([status, { ...body, requestId: null }]));
    }
    expect([...answers]).toEqual([expect.stringContaining('share_not_found')]);
  });
});

describe('a visit', () => {
  test('sees the assets of its target, and nothing else', async () => {
    const { by, newAsset, newShare, organizationId, collectionId } = await team();
    const [shown, neighbour] = [await newAsset(), await newAsset()];
    const theirs = await team();
    const foreign = await theirs.newAsset();
    const ofAsset = await visit(
      await newShare({ targetType: 'ASSET', targetId: shown.id, allowDownload: true }),
    );
    const { items } = await ofAsset.list();
    expect(items).toEqual([
      {
        id: shown.id,
        name: shown.assetName,
        contentType: 'application/octet-stream',
        fileSize: 20,
        thumbnailUrl: null,
        previewUrl: null,
        preview: expect.any(String),
      },
    ]);
    expect((await ofAsset.get(shown.id)).status).toBe(200);
    for (const id of [neighbour.id, foreign.id, collectionId, organizationId, newId()]) {
      expect((await ofAsset.get(id)).body.code).toBe('share_not_found');
      expect((await ofAsset.download(id)).body.code).toBe('share_not_found');
    }
    const ofCollection = await visit(await newShare());
    const ids = (await ofCollection.list()).items.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([neighbour.id, shown.id]);
    expect((await ofCollection.get(foreign.id)).status).toBe(404);
    await call(api, 'assets.remove', { ...by, params: { id: neighbour.id } });
    expect((await ofCollection.get(neighbour.id)).status).toBe(404);
    expect((await ofCollection.list()).pagination.total).toBe(1);
  });

  test('reaches no operation of members, and a session reaches none of visitors', async () => {
    const { newAsset, newShare, by } = await team();
    const asset = await newAsset();
    const { ticket } = await visit(await newShare({ allowDownload: true }));
    const headers = { authorization: `Share ${ticket}`, 'x-organization-id': by.organizationId };
    for (const scheme of ['Share', 'Bearer']) {
      const asVisitor = { headers: { ...headers, authorization: `${scheme} ${ticket}` } };
      const params = { id: asset.id };
      for (const operation of ['assets.get', 'assets.versions', 'assets.download'] as const) {
        expect((await call(api, operation, { ...asVisitor, params })).status).toBe(401);
      }
      expect((await call(api, 'timeline.list', asVisitor)).status).toBe(401);
      const ofTeam = { ...asVisitor, params: { id: by.organizationId } };
      expect((await call(api, 'organizations.listMembers', ofTeam)).status).toBe(401);
      expect((await call(api, 'assetComments.list', { ...asVisitor, params })).status).toBe(401);
      expect((await call(api, 'sessions.list', asVisitor)).status).toBe(401);
    }
    for (const authorization of [
      `Bearer ${user.token}`,
      `Share ${user.token}`,
      'Share',
      'Share x',
    ]) {
      const { body } = await call(api, 'shares.shared', { headers: { authorization } });
      expect(body.code).toBe('unauthenticated');
    }
    expect((await call(api, 'shares.shared', { token: user.token })).status).toBe(401);
    const byQuery = await fetch(`${api.url}/api/public/share?ticket=${ticket}`);
    expect(byQuery.status).toBe(401);
  });

  test('ends at the next request, alike for every reason', async () => {
    const endings: Record<
      string,
      (context: Awaited<ReturnType<typeof team>>, id: string) => unknown
    > = {
      revoked: ({ by }, id) => call(api, 'shares.remove', { ...by, params: { id } }),
      expired: async (_, id) => {
        const past = new Date(api.clock.now().getTime() - 1);
        await api.db.update(shares).set({ expiresAt: past }).where(eq(shares.id, id));
      },
      password: ({ change }, id) => change(id, { password: 'another 4711' }),
      rotated: ({ by }, id) => call(api, 'shares.rotate', { ...by, params: { id } }),
      policy: ({ by, organizationId }) =>
        call(api, 'shares.updatePolicy', {
          ...by,
          params: { id: organizationId },
          body: { requirePassword: true },
        }),
      forbidden: ({ by, organizationId }) =>
        call(api, 'shares.updatePolicy', {
          ...by,
          params: { id: organizationId },
          body: { allowed: false },
        }),
      binned: ({ by, collectionId }) =>
        call(api, 'collections.remove', { ...by, params: { id: collectionId } }),
      deleted: async ({ by, organizationId }) => {
        const { body } = await call(api, 'organizations.get', {
          ...by,
          params: { id: organizationId },
        });
        await call(api, 'organizations.remove', {
          ...by,
          params: { id: organizationId },
          query: { confirmName: body.data.name },
        });
      },
    };
    const answers = new Map<string, string>();
    for (const [name, end] of Object.entries(endings)) {
      const context = await team();
      const asset = await context.newAsset();
      const share = await context.newShare({ allowDownload: true });
      const visited = await visit(share);
      expect((await visited.all(asset.id)).map(({ status }) => status)).toEqual([
        200, 200, 200, 200,
      ]);
      await end(context, share.id);
      const after = await visited.all(asset.id);
      const texts = after.map(({ status, body }) =>
        JSON.stringify([status, body.code, body.message]),
      );
      expect([name, new Set(texts).size]).toEqual([name, 1]);
      answers.set(name, texts[0] ?? '');
    }
    // With its organization, the ticket is deleted too.
    expect(answers.get('deleted')).toContain('unauthenticated');
    answers.delete('deleted');
    expect([...new Set(answers.values())]).toEqual([expect.stringContaining('share_not_found')]);
  }, 240_000);

  test('ends after half an hour, and a new opening renews it', async () => {
    const { newShare } = await team();
    const share = await newShare();
    const first = await visit(share);
    await api.db
      .update(shareTickets)
      .set({ expiresAt: new Date(api.clock.now().getTime() - 1) })
      .where(eq(shareTickets.shareId, share.id));
    expect((await first.share()).body.code).toBe('unauthenticated');
    expect((await (await visit(share)).share()).status).toBe(200);
  });

  test('downloads only where that is allowed, at an address of its own', async () => {
    const { newAsset, newShare, change } = await team();
    const file = someFile(30, 'notes \u202etxt.bin');
    const asset = await newAsset(file);
    const share = await newShare();
    const visited = await visit(share);
    const refused = await visited.download(asset.id);
    expect([refused.status, refused.body.code]).toEqual([403, 'share_download_off']);
    await change(share.id, { allowDownload: true });
    const { body } = await visited.download(asset.id);
    const response = await fetch(body.data.url);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(file.content);
    await change(share.id, { allowDownload: false });
    expect((await visited.download(asset.id)).status).toBe(403);
  });

  test('with pinned versions sees those, as far as they are still in the collection', async () => {
    const { by, newAsset, newShare, place, organizationId } = await team();
    const [kept, moved] = [await newAsset(someFile(11)), await newAsset(someFile(12))];
    const pinned = await visit(await newShare({ versions: 'PINNED', allowDownload: true }));
    const current = await visit(await newShare());
    await uploadFile(api, user, someFile(99), { ...place, assetId: kept.id });
    await newAsset(someFile(13));
    const sizes = async (visited: typeof pinned) =>
      (await visited.list()).items.map(({ fileSize }: { fileSize: number }) => fileSize).toSorted();
    expect(await sizes(pinned)).toEqual([11, 12]);
    expect(await sizes(current)).toEqual([12, 13, 99]);
    const { body } = await pinned.download(kept.id);
    expect((await (await fetch(body.data.url)).arrayBuffer()).byteLength).toBe(11);
    const other = await call(api, 'collections.create', { ...by, body: { title: 'Other' } });
    await api.db.execute(sql`
      update assets set collection_id = ${other.body.data.id} where organization_id = ${organizationId} and id = ${moved.id}`);
    expect(await sizes(pinned)).toEqual([11]);
    expect((await pinned.get(moved.id)).status).toBe(404);
  });

  test('reads its list by cursor', async () => {
    const { newAsset, newShare } = await team();
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) made.push((await newAsset()).id);
    const { list } = await visit(await newShare());
    const page = await list({ limit: 2 });
    const rest = await list({ limit: 2, cursor: page.pagination.nextCursor });
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual(made.toReversed());
  });
});

describe('what visitors do', () => {
  const viewsOf = async (share: { id: string }, context: Awaited<ReturnType<typeof team>>) => {
    const options = { ...context.by, params: { id: share.id } };
    return (await call(api, 'shares.views', options)).body.data.items as {
      action: string;
      asset: { id: string } | null;
      visitorName: string | null;
      network: string | null;
      device: string;
    }[];
  };

  test('is listed within seconds, without full addresses, previews once for a visit', async () => {
    const context = await team();
    const asset = await context.newAsset();
    const share = await context.newShare({ allowDownload: true, password: 'printer 4711' });
    await open(share, { password: 'wrong one' });
    const visited = await visit(share, { password: 'printer 4711', visitorName: ' Grace ' });
    for (let count = 0; count < 5; count += 1) await visited.get(asset.id);
    await visited.download(asset.id);
    // At the beginning of another minute, in which two downloads are one view.
    api.clock.advance({ seconds: 60 - ((api.clock.now().getTime() / 1_000) % 60) });
    await visited.download(asset.id);
    await visited.download(asset.id);
    await expect
      .poll(async () => (await viewsOf(share, context)).map(({ action }) => action).toSorted(), {
        timeout: 20_000,
        interval: 500,
      })
      .toEqual(['DOWNLOADED', 'DOWNLOADED', 'OPENED', 'PASSWORD_WRONG', 'PREVIEWED']);
    const views = await viewsOf(share, context);
    expect(views.find(({ action }) => action === 'PREVIEWED')).toMatchObject({
      asset: { id: asset.id, name: asset.assetName },
      visitorName: 'Grace',
      network: '127.0.0.0/24',
    });
    expect(JSON.stringify(views)).not.toContain('127.0.0.1');
    const { body } = await call(api, 'shares.get', { ...context.by, params: { id: share.id } });
    expect(body.data).toMatchObject({ openingCount: 1, lastOpenedAt: expect.any(String) });
  });

  test('is removed after 90 days, with tickets that expired and shares that ended before', async () => {
    const context = await team();
    const [kept, ended] = [await context.newShare(), await context.newShare()];
    await visit(kept);
    const daysAgo = (days: number) => new Date(api.clock.now().getTime() - days * 86_400_000);
    const view = (days: number) => ({
      organizationId: context.organizationId,
      shareId: kept.id,
      id: newId(),
      at: daysAgo(days),
      action: 'OPENED' as const,
      device: 'Firefox',
    });
    await api.db.insert(shareViews).values([view(91), view(89)]);
    await api.db
      .update(shareTickets)
      .set({ expiresAt: daysAgo(0) })
      .where(eq(shareTickets.shareId, kept.id));
    await api.db
      .update(shares)
      .set({ revokedAt: daysAgo(91) })
      .where(eq(shares.id, ended.id));
    const { log } = api.deps;
    const tokens = shareTokens(api.deps.keys);
    await keepShares({ db: api.db, clock: api.clock, shareTokens: tokens, log });
    const left = await api.db.select().from(shareViews).where(eq(shareViews.shareId, kept.id));
    expect(left.filter(({ at }) => at < daysAgo(90))).toEqual([]);
    expect(left.filter(({ at }) => at < daysAgo(88))).toHaveLength(1);
    expect(
      await api.db.select().from(shareTickets).where(eq(shareTickets.shareId, kept.id)),
    ).toEqual([]);
    expect(await api.db.select().from(shares).where(eq(shares.id, ended.id))).toEqual([]);
    expect(await api.db.select().from(shares).where(eq(shares.id, kept.id))).toHaveLength(1);
  });
});
