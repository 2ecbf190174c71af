import { describe, expect, test } from 'vitest';
import { sampleAccount } from './samples.ts';
import { hourMs, inOrganization, minuteMs, setUpMock, startMs, type Sent } from './testing/mock.ts';

const { clock, send, login, create, mailedToken, join, newTeam, putPart } = setUpMock();

// Tests assert what they read of a response.
/* eslint-disable typescript/no-explicit-any */
describe('access', () => {
  test('a path names a membership, a body its account', async () => {
    const team = await newTeam();
    const headers = inOrganization(team.id);
    const members = `/api/organizations/${team.id}/members`;
    const [{ id, userId }] = (await send('GET', members)).data.items;
    const body = { role: 'ADMIN' };
    expect((await send('PATCH', `${members}/${userId}`, { body })).status).toBe(404);
    expect((await send('PATCH', `${members}/${id}`, { body })).code).toBe('last_owner');
    const project = await create('/api/projects', { headers, body: { name: 'One' } });
    const tasks = `/api/projects/${project.id}/tasks`;
    const title = 'Assigned';
    const refused = await send('POST', tasks, { headers, body: { title, assigneeIds: [id] } });
    expect(refused).toMatchObject({ status: 400, code: 'assignee_not_member' });
    await create(tasks, { headers, body: { title, assigneeIds: [userId] } });
  });

  test('an administrator leads a team, or is one of the platform with a session', async () => {
    const grace = await join('grace@example.com');
    const team = await newTeam(grace);
    const { data: user } = await send('GET', '/api/auth/user', { token: grace });
    const timeline = (id: string, token?: string) =>
      send('GET', '/api/timeline', { token, headers: inOrganization(id) });
    expect((await timeline(user.personalOrganizationId, grace)).code).toBe('not_admin');
    expect((await timeline(team.id, grace)).status).toBe(200);
    const seen = await timeline(team.id);
    expect(seen.data.items.length).toBeGreaterThan(0);
    const { data: own } = await send('GET', '/api/auth/user');
    const { key } = await create('/api/auth/api-keys', {
      body: {
        name: 'Program',
        scopes: ['timeline:read'],
        organizationIds: [own.personalOrganizationId],
        expiresInDays: 1,
      },
    });
    expect((await timeline(own.personalOrganizationId)).status).toBe(200);
    expect((await timeline(own.personalOrganizationId, key)).code).toBe('not_admin');
    expect((await timeline(team.id, key)).code).toBe('organization_access_denied');
  });

  test('an API key resolves only the names that it may read', async () => {
    const project = await create('/api/projects', { body: { name: 'Lighthouse' } });
    await create(`/api/projects/${project.id}/tasks`, { body: { title: 'Paint it' } });
    const { data: own } = await send('GET', '/api/auth/user');
    const found = async (scopes: readonly string[], q: string) => {
      const organizationIds = [own.personalOrganizationId];
      const body = { name: 'Program', scopes, organizationIds, expiresInDays: 1 };
      const { key } = await create('/api/auth/api-keys', { body });
      const path = `/api/search?q=${encodeURIComponent(q)}`;
      return (await send('GET', path, { token: key })).data.totals.byType.task;
    };
    const base = ['search:use', 'task:read'];
    expect(await found(base, 'paint in:lighthouse')).toBe(0);
    expect(await found([...base, 'project:read'], 'paint in:lighthouse')).toBe(1);
    expect(await found(base, 'paint by:ada')).toBe(0);
    expect(await found(base, 'paint by:me')).toBe(1);
    expect(await found([...base, 'member:read'], 'paint by:ada')).toBe(1);
  });
});

describe('passwords', () => {
  const email = 'grace@example.com';
  test.each([
    [email, 'password_is_email'],
    ['Password123', 'password_too_common'],
    ['Atelier-2026', 'password_too_guessable'],
  ])('%s is refused', async (password, code) => {
    const refused = await send('POST', '/api/auth/register', { body: { email, password } });
    const errors = [{ in: 'body', path: ['password'], code }];
    expect(refused).toMatchObject({ code: 'validation_failed', errors });
  });

  test('a refused one costs no token, and is named where it is', async () => {
    const token = await join(email);
    const newPassword = 'atelier1';
    const body = { currentPassword: 'a pass phrase', newPassword };
    const refused = await send('PUT', '/api/auth/user/password', { token, body });
    expect(refused.errors).toMatchObject([{ path: ['newPassword'] }]);
    await send('POST', '/api/auth/request-password-reset', { body: { email } });
    const reset = { token: await mailedToken(), password: newPassword };
    const path = '/api/auth/reset-password';
    expect((await send('POST', path, { body: reset })).code).toBe('validation_failed');
    const accepted = { ...reset, password: 'another pass phrase' };
    expect((await send('POST', path, { body: accepted })).status).toBe(200);
  });
});

describe('refresh tokens', () => {
  const refresh = (refreshToken: string, key?: string) =>
    send('POST', '/api/auth/refresh-token', {
      body: { refreshToken },
      headers: { ...(key !== undefined && { 'idempotency-key': key }) },
    });
  const isSignedIn = async (token?: string) =>
    (await send('GET', '/api/auth/user', { token })).status === 200;

  test('expire, and end no session then', async () => {
    const first = await login(sampleAccount);
    clock.nowMs += 12 * hourMs;
    const { accessToken } = await login(sampleAccount);
    expect((await refresh(first.refreshToken)).code).toBe('access_denied');
    expect(await isSignedIn(accessToken)).toBe(true);
  });

  test('end every session of the account when revoked by a logout', async () => {
    const { refreshToken } = await login(sampleAccount);
    await send('POST', '/api/auth/logout', { body: { refreshToken } });
    expect(await isSignedIn()).toBe(true);
    expect((await refresh(refreshToken)).code).toBe('access_denied');
    expect(await isSignedIn()).toBe(false);
  });

  test('of a session that another one has ended end no session', async () => {
    const { refreshToken } = await login(sampleAccount);
    await send('DELETE', '/api/auth/sessions');
    expect((await refresh(refreshToken)).code).toBe('access_denied');
    expect(await isSignedIn()).toBe(true);
  });

  test('are repeated under a key for ten minutes', async () => {
    const { refreshToken } = await login(sampleAccount);
    const key = '0123456789abcdef0123456789abcdef';
    const { data } = await refresh(refreshToken, key);
    clock.nowMs += 10 * minuteMs - 1;
    expect((await refresh(refreshToken, key)).data).toEqual(data);
    clock.nowMs += 1;
    expect((await refresh(refreshToken, key)).code).toBe('access_denied');
    expect(await isSignedIn()).toBe(false);
  });
});

describe('repetitions under an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'the first one' };
  const repeat = async (path: string, sent: Sent) => {
    const { headers: replayed, ...response } = await send('POST', path, sent);
    return { ...response, isReplayed: replayed?.['idempotency-replayed'] === 'true' };
  };

  test('an error that does not predict the next attempt is not kept', async () => {
    const { data: own } = await send('GET', '/api/auth/user');
    const organizationIds = [own.personalOrganizationId];
    const body = { name: 'Program', scopes: ['task:read'], organizationIds, expiresInDays: 1 };
    clock.nowMs += 11 * minuteMs;
    const sent = { headers, body };
    expect((await send('POST', '/api/auth/api-keys', sent)).code).toBe('confirmation_required');
    await send('POST', '/api/auth/confirm', { body: { password: sampleAccount.password } });
    expect((await repeat('/api/auth/api-keys', sent)).status).toBe(201);

    const target = (await send('GET', '/api/collections?limit=1')).data.items[0].id;
    const share = { targetType: 'COLLECTION', targetId: target };
    const past = { ...share, expiresAt: new Date(startMs).toISOString() };
    const refused = await send('POST', '/api/shares', { headers, body: past });
    expect(refused.errors).toMatchObject([{ path: ['expiresAt'], code: 'too_small' }]);
    expect((await repeat('/api/shares', { headers, body: share })).status).toBe(201);
  });

  test('another organization is another request, another API key another place', async () => {
    const team = await newTeam();
    const body = { name: 'Once' };
    const first = await repeat('/api/projects', { headers, body });
    expect((await repeat('/api/projects', { headers, body })).isReplayed).toBe(true);
    const there = { body, headers: { ...headers, ...inOrganization(team.id) } };
    expect((await send('POST', '/api/projects', there)).code).toBe('idempotency_key_reused');
    const { data: own } = await send('GET', '/api/auth/user');
    const { key: token } = await create('/api/auth/api-keys', {
      body: {
        name: 'Program',
        scopes: ['project:create'],
        organizationIds: [own.personalOrganizationId],
        expiresInDays: 1,
      },
    });
    const byKey = await repeat('/api/projects', { headers, body, token });
    expect(byKey).toMatchObject({ status: 201, isReplayed: false });
    expect(byKey.data.id).not.toBe(first.data.id);
  });

  test.each([
    ['a day', '/api/projects', { name: 'Once' }, 24],
    ['an hour with a secret', '/api/auth/api-keys', { name: 'Once', scopes: ['task:read'] }, 1],
  ])('a response is kept for %s', async (_, path, given, hours) => {
    const { data: own } = await send('GET', '/api/auth/user');
    const body = { organizationIds: [own.personalOrganizationId], ...given };
    await create(path, { headers, body });
    const isReplayed = async () => {
      const token = (await login(sampleAccount)).accessToken;
      return (await repeat(path, { headers, body, token })).isReplayed;
    };
    clock.nowMs += hours * hourMs - minuteMs;
    expect(await isReplayed()).toBe(true);
    clock.nowMs += minuteMs;
    expect(await isReplayed()).toBe(false);
  });
});

test('a refusal names the field of an API key, and the cursor', async () => {
  const team = await newTeam();
  const keyPolicy = `/api/organizations/${team.id}/key-policy`;
  const refusal = async (policy: object) => {
    expect((await send('PATCH', keyPolicy, { body: policy })).status).toBe(200);
    const organizationIds = [team.id];
    const body = { name: 'Program', scopes: ['task:read'], organizationIds, expiresInDays: 8 };
    return (await send('POST', '/api/auth/api-keys', { body })).errors;
  };
  const lifetime = await refusal({ maxLifetimeDays: 7 });
  expect(lifetime).toMatchObject([{ path: ['expiresInDays'], code: 'too_big' }]);
  const personal = await refusal({ personalKeys: 'REFUSED' });
  expect(personal).toMatchObject([{ path: ['organizationIds', 0], code: 'refused' }]);
  const { id } = (await send('GET', '/api/tasks?limit=1')).data.items[0];
  const { errors } = await send('GET', `/api/tasks/${id}/followers?cursor=unknown`);
  expect(errors).toMatchObject([{ in: 'query', path: ['cursor'] }]);
});

describe('assets', () => {
  const file = { fileName: 'a.txt', contentType: 'text/plain', fileSize: 1 };
  const initiate = (body: object, headers = {}) =>
    send('POST', '/api/upload/initiate', { body: { ...file, ...body }, headers });
  const firstAsset = async () => (await send('GET', '/api/assets?limit=1')).data.items[0];

  test('one in the bin gets no version, and one is published to no deleted collection', async () => {
    const { id: assetId, collectionId } = await firstAsset();
    const team = await newTeam();
    const headers = inOrganization(team.id);
    const deleted = await create('/api/collections/create', { headers, body: { title: 'Gone' } });
    await send('DELETE', `/api/collections/${deleted.id}`, { headers });
    const publication = { headers, body: { collectionId: deleted.id } };
    expect((await send('POST', `/api/assets/${assetId}/publish`, publication)).status).toBe(404);

    const { data } = await initiate({ collectionId, assetId });
    const eTag = await putPart(data.parts[0].url, new Uint8Array(1));
    await send('DELETE', `/api/assets/${assetId}`);
    const { uploadId, key } = data;
    const parts = [{ partNumber: 1, eTag }];
    const body = { uploadId, key, collectionId, contentType: file.contentType, parts };
    const complete = () => send('POST', '/api/upload/complete', { body });
    expect((await complete()).code).toBe('upload_not_active');
    await send('POST', `/api/assets/${assetId}/restore`);
    expect((await send('GET', `/api/assets/${assetId}`)).data.currentVersion).toBe(1);
    expect((await complete()).data.currentVersion).toBe(2);
    const restored = (versionNumber: number) =>
      send('PATCH', `/api/assets/${assetId}/versions/restore/${versionNumber}`);
    for (let count = 3; count <= 100; count += 1) await restored(count % 2 === 0 ? 2 : 1);
    expect((await restored(1)).code).toBe('plan_limit_reached');
    await send('DELETE', `/api/assets/${assetId}`);
    expect((await complete()).code).toBe('upload_not_active');
  });

  test('uploads are limited in size, versions and number', async () => {
    const { id: assetId, collectionId } = await firstAsset();
    const large = await initiate({ collectionId, fileSize: 5 * 1024 ** 3 + 1 });
    expect(large.errors).toMatchObject([{ path: ['fileSize'], code: 'too_big' }]);
    for (let count = 0; count < 99; count += 1) await initiate({ collectionId, assetId });
    expect((await initiate({ collectionId, assetId })).code).toBe('plan_limit_reached');
    const { data } = await initiate({ collectionId, fileName: '../b:c.png' });
    expect(data.key).toBe(`collection/${collectionId}/${data.uploadId}/__b_c.png`);
    expect((await initiate({ collectionId })).code).toBe('too_many_open_uploads');
  });

  test('a file that the storage has no room for is refused with its first part', async () => {
    const { collectionId } = await firstAsset();
    const storesPart = async (fileSize: number) => {
      const { data } = await initiate({ collectionId, fileSize });
      return (await putPart(data.parts[0].url, new Uint8Array(data.partSize))) !== '';
    };
    expect(await storesPart(256 * 1024 ** 2)).toBe(true);
    expect(await storesPart(256 * 1024 ** 2 + 1)).toBe(false);
  });

  test('a publication stays within the plan', async () => {
    const { id } = await firstAsset();
    const team = await newTeam();
    const headers = inOrganization(team.id);
    const { id: collectionId } = await create('/api/collections/create', {
      headers,
      body: { title: 'Full' },
    });
    for (let count = 0; count < 2; count += 1) {
      await initiate({ collectionId, fileSize: 5 * 1024 ** 3 }, headers);
    }
    const refused = await send('POST', `/api/assets/${id}/publish`, { headers, body: {} });
    expect(refused.code).toBe('plan_limit_reached');
  });
});

test('open invitations count towards the members of a plan', async () => {
  const team = await newTeam();
  const invite = (name: number) => {
    const body = { email: `guest-${name}@example.com`, role: 'MEMBER' };
    return send('POST', `/api/organizations/${team.id}/invitations`, { body });
  };
  for (let count = 1; count < 50; count += 1) expect((await invite(count)).status).toBe(201);
  expect((await invite(50)).code).toBe('plan_limit_reached');
  expect((await invite(1)).status).toBe(201);
});

describe('the cursor of an item with long texts', () => {
  const long = '\u{20BB7}'.repeat(255);
  const idsOf = async (path: string) => {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const { status, data } = await send('GET', `${path}&limit=1${cursor}`);
      expect(status).toBe(200);
      ids.push(...data.items.map(({ id }: { id: string }) => id));
      if (!data.pagination.hasNext) return ids.toSorted();
      cursor = `&cursor=${data.pagination.nextCursor}`;
    }
  };

  test.each(['-createdAt', 'updatedAt', 'dueDate', '-title', 'position'])(
    'is accepted for tasks in the order %s',
    async (sort) => {
      const project = await create('/api/projects', { body: { name: 'Long' } });
      const path = `/api/projects/${project.id}/tasks`;
      const body = { title: long, description: long.repeat(78) };
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) ids.push((await create(path, { body })).id);
      expect(await idsOf(`${path}?sort=${sort}`)).toEqual(ids);
    },
  );

  test('is accepted for the assets of a task', async () => {
    const project = await create('/api/projects', { body: { name: 'Long' } });
    const task = await create(`/api/projects/${project.id}/tasks`, { body: { title: long } });
    const ids = (await send('GET', '/api/assets?limit=3')).data.items.map(({ id }: any) => id);
    for (const id of ids) {
      const body = { assetName: long, description: long.repeat(7) };
      expect((await send('PATCH', `/api/assets/${id}`, { body })).status).toBe(200);
      expect((await send('PUT', `/api/tasks/${task.id}/assets/${id}`)).status).toBe(200);
    }
    expect(await idsOf(`/api/tasks/${task.id}/assets?sort=attachedAt`)).toEqual(ids.toSorted());
  });
});

test('a move to the same position changes nothing, also after a deletion', async () => {
  const project = await create('/api/projects', { body: { name: 'Moves' } });
  const path = `/api/projects/${project.id}/tasks`;
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three'])
    ids.push((await create(path, { body: { title } })).id);
  await send('DELETE', `/api/tasks/${ids[1]}`);
  const before = (await send('GET', `/api/tasks/${ids[2]}`)).data;
  expect(before.position).toBe(1);
  const moved = await send('PATCH', `/api/tasks/${ids[2]}/position`, { body: { position: 1 } });
  expect(moved.data.updatedAt).toBe(before.updatedAt);
});
