import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMockService, type MockService } from './mock.ts';
import { sampleAccount } from './samples.ts';

let nowMs: number;
let service: MockService;
let ada: string;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  nowMs = Date.UTC(2026, 10, 28);
  const options = { unknownTokens: 'none', nowMs: () => nowMs } as const;
  service = await createMockService('http://mock.test', options);
  ada = await login(sampleAccount);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Sent {
  readonly body?: object;
  readonly token?: string;
  readonly organizationId?: string;
  readonly lastEventId?: string;
}

function request(method: string, path: string, { body, token = ada, ...sent }: Sent) {
  return service.respond({
    method,
    isHead: false,
    url: new URL(path, 'http://mock.test'),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-organization-id': sent.organizationId,
      'last-event-id': sent.lastEventId,
    },
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
  });
}

// Tests assert what they read of a response.
/* eslint-disable typescript/no-explicit-any */
async function send(method: string, path: string, sent: Sent = {}) {
  const { status, body } = await request(method, path, sent);
  const parsed: any = typeof body === 'string' ? JSON.parse(body) : {};
  expect(status, `${path} ${parsed.code}`).toBeLessThan(300);
  return path === '/email' ? parsed : parsed.data;
}

const login = async (body: object) =>
  (await send('POST', '/api/auth/login', { body, token: 'none' })).token.accessToken;

async function mailedToken(): Promise<string> {
  const mails: any[] = Object.values(await send('GET', '/email')).flat();
  return /(?:token=|invitations\/)(\w+)/.exec(mails.findLast((mail) => mail?.text).text)?.[1] ?? '';
}

/** Adds another account to a team. */
async function join(organizationId: string): Promise<{ token: string; path: string }> {
  const account = { email: 'grace@example.com', password: 'a pass phrase' };
  await send('POST', '/api/auth/register', { body: account });
  await send('POST', '/api/auth/verify-email', { body: { token: await mailedToken() } });
  const invitation = { email: account.email, role: 'MEMBER' };
  const team = `/api/organizations/${organizationId}`;
  await send('POST', `${team}/invitations`, { body: invitation });
  const invited = await mailedToken();
  const token = await login(account);
  await send('POST', `/api/organizations/invitations/${invited}/accept`, { token });
  const { items } = await send('GET', `${team}/members`);
  const { id } = items.find(({ role }: any) => role === 'MEMBER');
  return { token, path: `${team}/members/${id}` };
}

async function createKey(scopes: readonly string[], organizationId: string) {
  const organizationIds = [organizationId];
  const body = { name: 'Program', scopes, organizationIds, expiresInDays: 1 };
  const { id, key } = await send('POST', '/api/auth/api-keys', { body });
  return { id, token: key };
}

async function subscribe(sent: Sent) {
  const { status, body } = await request('GET', '/api/events', sent);
  expect(status).toBe(200);
  let text = '';
  const read = async () => {
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
    }
  };
  void read();
  /** Returns what was sent until now, and in the next second. */
  return async () => {
    vi.advanceTimersByTime(1000);
    await new Promise((resolve) => setTimeout(resolve));
    return text;
  };
}

const actionsIn = (text: string) =>
  [...text.matchAll(/"action":"([^"]+)"/g)].map(([, action]) => action);
const reasonIn = (text: string) => /event: closed\ndata: \{"reason":"(\w+)"\}\n\n$/.exec(text)?.[1];

const teamOf = async () =>
  (await send('POST', '/api/organizations', { body: { name: 'Workshop' } })).id;

describe('a stream ends', () => {
  test('with its session, in a message without an id', async () => {
    const organizationId = await teamOf();
    const token = await login(sampleAccount);
    const read = await subscribe({ token, organizationId });
    await send('POST', '/api/projects', { organizationId, body: { name: 'Seen' } });
    await send('DELETE', '/api/auth/sessions');
    const [ready, change, closed] = (await read()).trimEnd().split('\n\n');
    expect([ready, change]).toEqual([
      expect.stringContaining('id: mock-'),
      expect.stringContaining('id: mock-'),
    ]);
    expect(closed).toBe('event: closed\ndata: {"reason":"session_ended"}');
  });

  test('with its access token', async () => {
    const read = await subscribe({});
    nowMs += 15 * 60 * 1000;
    expect(reasonIn(await read())).toBe('token_expired');
  });

  test('with its API key, when it is revoked or expires', async () => {
    const organizationId = await teamOf();
    const [revoked, other] = [
      await createKey(['organization:read'], organizationId),
      await createKey(['organization:read'], organizationId),
    ];
    const [readRevoked, readOther] = [await subscribe(revoked), await subscribe(other)];
    await send('DELETE', `/api/auth/api-keys/${revoked.id}`);
    expect(reasonIn(await readRevoked())).toBe('session_ended');
    expect(reasonIn(await readOther())).toBeUndefined();
    nowMs += 24 * 60 * 60 * 1000;
    expect(reasonIn(await readOther())).toBe('token_expired');
  });

  test('with the membership', async () => {
    const organizationId = await teamOf();
    const { token, path } = await join(organizationId);
    const read = await subscribe({ token, organizationId });
    await send('DELETE', path);
    expect(reasonIn(await read())).toBe('access_ended');
  });
});

test('a new role applies to an open stream', async () => {
  const organizationId = await teamOf();
  const { token, path } = await join(organizationId);
  const read = await subscribe({ token, organizationId });
  const invite = (name: string) =>
    send('POST', `/api/organizations/${organizationId}/invitations`, {
      body: { email: `${name}@example.com`, role: 'MEMBER' },
    });
  await invite('one');
  expect(actionsIn(await read())).toEqual([]);
  await send('PATCH', path, { body: { role: 'ADMIN' } });
  await invite('two');
  expect(actionsIn(await read())).toEqual(['member.update', 'invitation.create']);
});

test('an API key sees what its scopes read, not what its owner does besides', async () => {
  const organizationId = await teamOf();
  const scopes = ['organization:read', 'task:read', 'timeline:read', 'dashboard:read'];
  const { token } = await createKey(scopes, organizationId);
  const read = await subscribe({ token });
  const { id } = await send('POST', '/api/projects', { organizationId, body: { name: 'Hidden' } });
  const body = { title: 'Shown' };
  await send('POST', `/api/projects/${id}/tasks`, { organizationId, body });
  expect(actionsIn(await read())).toEqual(['task.create']);
  const dashboard = await send('GET', '/api/dashboard/summary', { token });
  expect(actionsIn(JSON.stringify(dashboard))).not.toContain('project.create');
  // A timeline has everything of the organization that isn't private.
  const { items } = await send('GET', '/api/timeline', { token });
  expect(items.map(({ action }: any) => action)).toContain('project.create');
});

test('an API key sees comments only with the task whose title they show', async () => {
  const organizationId = await teamOf();
  const scopes = ['organization:read', 'comment:read'];
  const blind = await subscribe(await createKey(scopes, organizationId));
  const seeing = await subscribe(await createKey([...scopes, 'task:read'], organizationId));
  const of = (path: string, body: object) => send('POST', path, { organizationId, body });
  const { id } = await of('/api/projects', { name: 'Launch' });
  const task = await of(`/api/projects/${id}/tasks`, { title: 'Secret' });
  await of(`/api/tasks/${task.id}/comments`, { body: 'Fine' });
  expect(actionsIn(await seeing())).toEqual(['task.create', 'comment.create']);
  expect(actionsIn(await blind())).toEqual([]);
});

test('a position of another organization is refused', async () => {
  const [organizationId, other] = [await teamOf(), await teamOf()];
  const read = await subscribe({ organizationId });
  const lastEventId = /id: (\S+)/.exec(await read())?.[1] ?? '';
  const again = (sent: Sent) => request('GET', '/api/events', { ...sent, lastEventId });
  expect((await again({ organizationId })).status).toBe(200);
  const { status, body } = await again({ organizationId: other });
  expect(status).toBe(400);
  const errors = [{ in: 'headers', path: ['last-event-id'], code: 'invalid_cursor' }];
  expect(JSON.parse(String(body))).toMatchObject({ code: 'validation_failed', errors });
});

test('a session learns how many of its notifications are unread, an API key does not', async () => {
  const organizationId = await teamOf();
  const { token } = await join(organizationId);
  const inTeam = { organizationId };
  const project = await send('POST', '/api/projects', { ...inTeam, body: { name: 'One' } });
  const tasks = `/api/projects/${project.id}/tasks`;
  const task = await send('POST', tasks, { ...inTeam, body: { title: 'One' } });
  const [read, readOfKey] = [
    await subscribe(inTeam),
    await subscribe(await createKey(['organization:read'], organizationId)),
  ];
  for (const body of [`Look, @${sampleAccount.email}`, 'Look']) {
    await send('POST', `/api/tasks/${task.id}/comments`, { ...inTeam, token, body: { body } });
  }
  const unreadIn = (text: string) =>
    [...text.matchAll(/(?<=\n\n)event: notification\ndata: {"unread":(\d+)}\n\n/g)].map(
      ([, count]) => Number(count),
    );
  expect(unreadIn(await read())).toEqual([2]);
  expect(unreadIn(await read())).toEqual([2]);
  const marked = { body: { upTo: 2 } };
  await send('POST', '/api/notifications/read', marked);
  expect(unreadIn(await read())).toEqual([2, 0]);
  const { items } = await send('GET', '/api/notifications');
  await send('PATCH', `/api/notifications/${items[0].id}`, { body: { isRead: false } });
  expect(unreadIn(await read())).toEqual([2, 0, 1]);
  await send('POST', '/api/notifications/archive', marked);
  expect(unreadIn(await read())).toEqual([2, 0, 1, 0]);
  expect(await readOfKey()).not.toContain('event: notification');
});
