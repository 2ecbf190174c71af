import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { accountActivities, users } from '../db/generated/schema.ts';
import type { TestUser } from './accounts.ts';
import { call, type TestApi } from './api.ts';

export interface StartedAvatarUpload {
  readonly uploadUrl: string;
  readonly headers: Record<string, string>;
  readonly key: string;
}

/** The steps of an avatar upload, and its visible result. */
export function avatarSteps(api: () => TestApi) {
  async function start(
    user: TestUser,
    declared: { contentType: string; fileSize: number },
  ): Promise<StartedAvatarUpload> {
    const { status, body } = await call(api(), 'profile.startAvatarUpload', {
      token: user.token,
      body: declared,
    });
    expect(status).toBe(201);
    return body.data;
  }

  async function put(upload: StartedAvatarUpload, content: Buffer, headers = upload.headers) {
    const init = { method: 'PUT', headers, body: Uint8Array.from(content) };
    return (await fetch(upload.uploadUrl, init)).status;
  }

  const complete = (user: TestUser, key: string) =>
    call(api(), 'profile.completeAvatarUpload', { token: user.token, body: { key } });

  /** Runs the three steps; returns the last response. */
  async function upload(user: TestUser, content: Buffer, contentType = 'image/png') {
    const started = await start(user, { contentType, fileSize: content.length });
    expect(await put(started, content)).toBe(200);
    return { key: started.key, response: await complete(user, started.key) };
  }

  async function download(url: string): Promise<Buffer> {
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
    return Buffer.from(await response.arrayBuffer());
  }

  async function avatarKeyOf(user: TestUser) {
    const [row] = await api().db.select().from(users).where(eq(users.id, user.id));
    return row?.avatarKey ?? null;
  }

  async function swapsOf(user: TestUser): Promise<number> {
    const rows = await api()
      .db.select()
      .from(accountActivities)
      .where(
        and(
          eq(accountActivities.actorId, user.id),
          eq(accountActivities.action, 'user.update_avatar'),
        ),
      );
    return rows.length;
  }

  const expectGone = (key: string) =>
    expect.poll(() => api().deps.store.statObject(key), { timeout: 10_000 }).toBeNull();

  return { start, put, complete, upload, download, avatarKeyOf, swapsOf, expectGone };
}
