import { beforeEach, expect } from 'vitest';
import { createMockService, type MockService } from '../mock.ts';
import { sampleAccount } from '../samples.ts';
import type { Features } from '../state/model.ts';

export const startMs = Date.UTC(2026, 10, 28);
export const minuteMs = 60 * 1000;
export const hourMs = 60 * minuteMs;

export interface Sent {
  readonly body?: object;
  /** Default: that of the sample account. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface NewFile extends Omit<Sent, 'body'> {
  readonly collectionId: string;
  readonly assetId?: string;
  readonly content: string;
}

interface NewMember {
  readonly email: string;
  readonly token: string;
  readonly role?: string;
}

export const inOrganization = (id: string) => ({ 'x-organization-id': id });

/** Creates a mock before each test, to which the sample account is signed in. */
export function setUpMock(features?: Features) {
  const clock = { nowMs: startMs };
  let service: MockService;
  let ada: string;
  beforeEach(async () => {
    clock.nowMs = startMs;
    const options = { unknownTokens: 'none', nowMs: () => clock.nowMs } as const;
    service = await createMockService('http://mock.test', options, features);
    ada = (await login(sampleAccount)).accessToken;
  });

  // Tests assert what they read of a response.
  /* eslint-disable typescript/no-explicit-any */
  async function send(method: string, path: string, { body, token = ada, headers }: Sent = {}) {
    const response = await service.respond({
      method,
      isHead: false,
      url: new URL(path, 'http://mock.test'),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    });
    const parsed: any = typeof response.body === 'string' ? JSON.parse(response.body) : {};
    return { status: response.status, headers: response.headers, ...parsed };
  }

  const login = async (body: object) =>
    (await send('POST', '/api/auth/login', { body, token: 'none' })).data.token;

  async function create(path: string, sent: Sent) {
    const { status, data } = await send('POST', path, sent);
    expect(status, path).toBe(201);
    return data;
  }

  async function mails(): Promise<any[]> {
    return Object.values(await send('GET', '/email')).filter((one: any) => one?.text);
  }

  async function mailedToken(): Promise<string> {
    return /(?:token=|invitations\/)(\w+)/.exec((await mails()).at(-1).text)?.[1] ?? '';
  }

  /** Signs up and in. */
  async function join(email: string): Promise<string> {
    const account = { email, password: 'a pass phrase' };
    await create('/api/auth/register', { body: account });
    await send('POST', '/api/auth/verify-email', { body: { token: await mailedToken() } });
    return (await login(account)).accessToken;
  }

  /** Creates a team. */
  const newTeam = async (token?: string) =>
    create('/api/organizations', { token, body: { name: 'Workshop' } });

  /** Makes an account a member of a team of the sample account. */
  async function joinTeam(id: string, { email, token, role = 'MEMBER' }: NewMember) {
    const body = { email, role };
    await create(`/api/organizations/${id}/invitations`, { body });
    const path = `/api/organizations/invitations/${await mailedToken()}/accept`;
    expect((await send('POST', path, { token })).status).toBe(200);
  }

  /** Stores the part of an upload. @returns its ETag; empty if it is refused */
  async function putPart(url: string, bytes: Uint8Array): Promise<string> {
    const request = { method: 'PUT', isHead: false, url: new URL(url), headers: {}, body: bytes };
    return (await service.respond(request)).headers?.['etag'] ?? '';
  }

  /** Uploads a text. @returns its asset */
  async function upload({ collectionId, assetId, content, ...sent }: NewFile) {
    const bytes = new TextEncoder().encode(content);
    const file = { collectionId, contentType: 'text/plain' };
    const wanted = { ...file, assetId, fileName: 'a.txt', fileSize: bytes.length };
    const { data } = await send('POST', '/api/upload/initiate', { ...sent, body: wanted });
    const { uploadId, key } = data;
    const parts = [{ partNumber: 1, eTag: await putPart(data.parts[0].url, bytes) }];
    const completion = { ...file, uploadId, key, parts };
    return (await send('POST', '/api/upload/complete', { ...sent, body: completion })).data;
  }

  return {
    clock,
    send,
    login,
    create,
    mails,
    mailedToken,
    join,
    joinTeam,
    newTeam,
    putPart,
    upload,
  };
}
