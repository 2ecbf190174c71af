import { describe, expect, test } from 'vitest';
import { sampleAccount } from './samples.ts';
import { hourMs, inOrganization, minuteMs, setUpMock, type Sent } from './testing/mock.ts';

const { clock, send, login, create, join, joinTeam, mails, mailedToken, newTeam, putPart } =
  setUpMock();

describe('invitations', () => {
  const weekMs = 7 * 24 * hourMs;
  const email = 'guest@example.com';
  const preview = (token: string) => send('GET', `/api/organizations/invitations/${token}`);
  const again = async () => (await login(sampleAccount)).accessToken;

  test('expire, which a list and its filter show, and are not revoked then', async () => {
    const { id } = await newTeam();
    const path = `/api/organizations/${id}/invitations`;
    const invitation = await create(path, { body: { email } });
    clock.nowMs += weekMs - minuteMs;
    const early = await again();
    expect((await send('GET', path, { token: early })).data.items[0].status).toBe('PENDING');
    clock.nowMs += 2 * minuteMs;
    const token = await again();
    expect((await send('GET', path, { token })).data.items[0].status).toBe('EXPIRED');
    const totalOf = async (status: string) =>
      (await send('GET', `${path}?status=${status}`, { token })).data.pagination.total;
    expect([await totalOf('EXPIRED'), await totalOf('PENDING')]).toEqual([1, 0]);
    const revoked = await send('DELETE', `${path}/${invitation.id}`, { token });
    expect(revoked).toMatchObject({ status: 410, code: 'invitation_gone' });
  });

  test('are renewed with another link and inviter, unless the last mail is new', async () => {
    const { id } = await newTeam();
    const path = `/api/organizations/${id}/invitations`;
    const address = 'grace@example.com';
    const grace = await join(address);
    await joinTeam(id, { email: address, token: grace, role: 'ADMIN' });
    const first = await create(path, { body: { email } });
    const [link, { length: count }] = [await mailedToken(), await mails()];
    clock.nowMs += 10 * minuteMs - 1;
    await create(path, { body: { email } });
    expect(await mails()).toHaveLength(count);
    clock.nowMs += 1;
    const second = await create(path, { token: grace, body: { email, role: 'ADMIN' } });
    expect(second).toMatchObject({ id: first.id, role: 'ADMIN' });
    expect(first.invitedBy.displayName).toBe('Ada Lovelace');
    expect(second.invitedBy.id).not.toBe(first.invitedBy.id);
    expect(await mails()).toHaveLength(count + 1);
    expect(await preview(link)).toMatchObject({ status: 410, code: 'invitation_gone' });
    expect((await preview(await mailedToken())).data.role).toBe('ADMIN');

    clock.nowMs += 2 * weekMs;
    const renewed = await create(path, { token: await again(), body: { email } });
    expect(renewed.id).toBe(first.id);
    expect((await preview(await mailedToken())).status).toBe(200);
  });
});

test('API keys of a member who is removed lose the team, also if they return', async () => {
  const { id } = await newTeam();
  const email = 'grace@example.com';
  const token = await join(email);
  await joinTeam(id, { email, token });
  const { data: user } = await send('GET', '/api/auth/user', { token });
  const keyed = { scopes: ['task:read'], organizationIds: [id, user.personalOrganizationId] };
  const { key } = await create('/api/auth/api-keys', {
    token,
    body: { name: 'Program', ...keyed },
  });
  const list = (organizationId: string) =>
    send('GET', '/api/tasks', { token: key, headers: inOrganization(organizationId) });
  expect((await list(id)).status).toBe(200);
  const { data } = await send('GET', `/api/organizations/${id}/members`);
  const member = data.items.find(({ userId }: { userId: string }) => userId === user.id);
  const path = `/api/organizations/${id}/members/${member.id}`;
  expect((await send('DELETE', path)).status).toBe(200);
  await joinTeam(id, { email, token });
  expect([(await list(id)).status, (await list(user.personalOrganizationId)).status]).toEqual([
    403, 200,
  ]);
});

describe('open uploads', () => {
  const file = { fileName: 'a.txt', contentType: 'text/plain', fileSize: 10 };

  const isOpen = async (url: string) => (await putPart(url, new Uint8Array(10))) !== '';

  /** A team with a collection. */
  async function setUp() {
    const { id } = await newTeam();
    const headers = inOrganization(id);
    const body = { title: 'Shared' };
    const { id: collectionId } = await create('/api/collections/create', { headers, body });
    const initiate = async (sent: Sent = {}): Promise<string> => {
      const wanted = { headers, ...sent, body: { ...file, collectionId } };
      return (await create('/api/upload/initiate', wanted)).parts[0].url;
    };
    const lastActivity = async () =>
      (await send('GET', '/api/dashboard/summary', { headers })).data.recentActivity[0];
    return { id, path: `/api/organizations/${id}`, initiate, lastActivity };
  }

  test('of a member are aborted when they are removed, and their invitations revoked', async () => {
    const { id, path, initiate, lastActivity } = await setUp();
    const email = 'grace@example.com';
    const token = await join(email);
    await joinTeam(id, { email, token, role: 'ADMIN' });
    const [theirs, own] = [await initiate({ token }), await initiate()];
    const body = { email: 'guest@example.com' };
    const invitation = await create(`${path}/invitations`, { token, body });
    const { data: user } = await send('GET', '/api/auth/user', { token });
    const { data } = await send('GET', `${path}/members`);
    const member = data.items.find(({ userId }: { userId: string }) => userId === user.id);
    expect((await send('DELETE', `${path}/members/${member.id}`)).status).toBe(200);
    expect(await isOpen(theirs)).toBe(false);
    expect(await isOpen(own)).toBe(true);
    expect(await lastActivity()).toMatchObject({
      action: 'member.remove',
      changes: [{ field: 'role', from: 'ADMIN', to: null }],
      metadata: {
        userId: user.id,
        revokedInvitations: 1,
        revokedInvitationIds: [invitation.id],
        abortedUploads: 1,
      },
    });
  });

  test('of a service account are aborted when it is deleted', async () => {
    const { path, initiate, lastActivity } = await setUp();
    const accounts = `${path}/service-accounts`;
    const account = await create(accounts, { body: { name: 'Robot', role: 'ADMIN' } });
    const body = { name: 'Program', scopes: ['asset:create'] };
    const { key: token } = await create(`${accounts}/${account.id}/keys`, { body });
    const url = await initiate({ token });
    expect((await send('DELETE', `${accounts}/${account.id}`)).status).toBe(200);
    expect(await isOpen(url)).toBe(false);
    const metadata = { revokedKeys: 1, abortedUploads: 1 };
    expect(await lastActivity()).toMatchObject({ action: 'service_account.delete', metadata });
  });

  test('of a deleted team no longer count towards those of its members', async () => {
    const { path, initiate } = await setUp();
    for (let count = 0; count < 100; count += 1) await initiate();
    expect((await send('DELETE', `${path}?confirmName=Workshop`)).status).toBe(200);
    await (await setUp()).initiate();
  });
});

describe('notifications', () => {
  const email = 'grace@example.com';

  /** A task of a team in which Grace Hopper is a member. */
  async function setUp() {
    const { id } = await newTeam();
    const headers = inOrganization(id);
    const token = await join(email);
    await joinTeam(id, { email, token });
    const names = { firstName: 'Grace', lastName: 'Hopper' };
    const { data: grace } = await send('PATCH', '/api/auth/user/profile', { token, body: names });
    const project = await create('/api/projects', { headers, body: { name: 'One' } });
    const tasks = `/api/projects/${project.id}/tasks`;
    const path = `/api/tasks/${(await create(tasks, { headers, body: { title: 'One' } })).id}`;
    const setPreferences = async (changes: object) => {
      const at = '/api/notification-preferences';
      const body = { ...(await send('GET', at, { token })).data, ...changes };
      expect((await send('PUT', at, { token, body })).status).toBe(200);
    };
    return {
      id,
      comment: (body: string, author?: string) =>
        create(`${path}/comments`, { headers, token: author, body: { body } }),
      edit: (commentId: string, body: string) =>
        send('PATCH', `${path}/comments/${commentId}`, { headers, body: { body } }),
      assign: (assigneeIds: readonly string[]) =>
        send('PUT', `${path}/assignees`, { headers, body: { assigneeIds } }),
      complete: () => send('PATCH', path, { headers, body: { status: 'DONE' } }),
      grace: {
        id: grace.id,
        setPreferences,
        follow: () => send('PUT', `${path}/follow`, { headers, token }),
        unfollow: () => send('DELETE', `${path}/follow`, { headers, token }),
        isFollowing: async () =>
          (await send('GET', `${path}/follow`, { headers, token })).data.isFollowing,
        /** The newest first. */
        inbox: async (current = token) =>
          (await send('GET', '/api/notifications', { token: current })).data.items,
        preferences: async () =>
          (await send('GET', '/api/notification-preferences', { token })).data,
        setMailNotices: (mailNotices: boolean) =>
          send('PATCH', '/api/auth/user/profile', { token, body: { mailNotices } }),
        reasons: async () =>
          (await send('GET', '/api/notifications', { token })).data.items.map(
            ({ reason }: { reason: string }) => reason,
          ),
      },
    };
  }

  test.each([
    ['the email in capitals', 'ask @GRACE@EXAMPLE.COM.'],
    ['the name', '@Grace Hopper, look'],
    ['the name in small letters', "@grace hopper's"],
  ])('tell members of a mention by %s, who follow the task then', async (_, body) => {
    const { comment, complete, grace } = await setUp();
    await comment('@grace@example.community @Grace Hopperson');
    expect([await grace.reasons(), await grace.isFollowing()]).toEqual([[], false]);
    await comment(body);
    expect([await grace.reasons(), await grace.isFollowing()]).toEqual([['mentioned'], true]);
    await complete();
    expect(await grace.reasons()).toEqual(['changed', 'mentioned']);
  });

  test('tell members that an edit mentions, unless the previous text mentioned them', async () => {
    const { comment, edit, grace } = await setUp();
    const { id } = await comment('Look');
    await edit(id, 'Look, @Grace Hopper');
    await edit(id, `Look again, @${email}`);
    expect(await grace.inbox()).toMatchObject([{ reason: 'mentioned', eventCount: 1 }]);
  });

  test('tell assigned members of later changes, except of a task that they unfollowed', async () => {
    const { assign, complete, grace } = await setUp();
    await assign([grace.id]);
    await assign([]);
    expect(await grace.isFollowing()).toBe(true);
    await complete();
    expect(await grace.reasons()).toEqual(['changed', 'unassigned', 'assigned']);
    await grace.unfollow();
    await assign([grace.id]);
    expect(await grace.isFollowing()).toBe(false);
  });

  test('come as a member prefers', async () => {
    const { id, assign, comment, grace } = await setUp();
    await grace.follow();
    await grace.setPreferences({ reasons: { commented: { inbox: false, mail: 'OFF' } } });
    await comment('Look');
    expect(await grace.reasons()).toEqual([]);
    await grace.setPreferences({ reasons: {}, organizations: { [id]: 'NONE' } });
    await comment('Look, @Grace Hopper');
    expect(await grace.reasons()).toEqual([]);
    await grace.setPreferences({ organizations: { [id]: 'MENTIONS' } });
    await assign([grace.id]);
    await comment('Look, @Grace Hopper');
    expect(await grace.reasons()).toEqual(['mentioned']);
  });

  test('show the start of a comment, with an ellipsis for its rest', async () => {
    const { comment, grace } = await setUp();
    await grace.follow();
    await comment('🦊'.repeat(140));
    expect((await grace.inbox())[0].excerpt).toBe('🦊'.repeat(140));
    await comment('🦊'.repeat(141));
    expect((await grace.inbox())[0].excerpt).toBe(`${'🦊'.repeat(139)}…`);
  });

  test('join the unread one that began less than a day ago', async () => {
    const { comment, grace } = await setUp();
    const say = async () =>
      comment('Look, @Grace Hopper', (await login(sampleAccount)).accessToken);
    await say();
    clock.nowMs += 24 * hourMs - minuteMs;
    await say();
    clock.nowMs += 2 * minuteMs;
    await say();
    const { accessToken } = await login({ email, password: 'a pass phrase' });
    expect(await grace.inbox(accessToken)).toMatchObject([{ eventCount: 1 }, { eventCount: 2 }]);
  });

  test('are mailed as the profile says', async () => {
    const { grace } = await setUp();
    await grace.setPreferences({ reasons: { assigned: { inbox: false, mail: 'OFF' } } });
    const mails = async () => {
      const { assigned, mentioned, commented } = (await grace.preferences()).reasons;
      return { assigned, mentioned, commented };
    };
    const before = await mails();
    await grace.setMailNotices(false);
    expect(await mails()).toEqual({
      ...before,
      assigned: { inbox: false, mail: 'OFF' },
      mentioned: { ...before.mentioned, mail: 'OFF' },
    });
    await grace.setMailNotices(true);
    const instant = { inbox: true, mail: 'INSTANT' };
    expect(await mails()).toEqual({ ...before, assigned: instant, mentioned: instant });
  });
});
