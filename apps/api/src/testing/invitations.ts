import type { Role } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { nextMail, type ReceivedMail, type TestUser } from './accounts.ts';
import { call, type Reachable, type TestApi } from './api.ts';

export interface TestInvitation {
  readonly id: string;
  readonly token: string;
}

/** Returns the token of the only link in an invitation's mail. */
export function invitationTokenIn(mail: ReceivedMail): string {
  const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
  expect(links).toHaveLength(1);
  const token = /^https:\/\/app\.example\.com\/invitations\/([\w-]{43})$/.exec(String(links[0]));
  expect(token).not.toBeNull();
  return token?.[1] ?? '';
}

/** Invites an address and returns the token in its newest mail. @param mails - the expected number of mails */
export async function invite(
  api: Reachable,
  inviter: Pick<TestUser, 'token'>,
  offer: { teamId: string; email: string; role?: Role; mails: number },
): Promise<TestInvitation> {
  const { teamId, email, role = 'MEMBER', mails } = offer;
  const { status, body } = await call(api, 'organizations.invite', {
    token: inviter.token,
    params: { id: teamId },
    body: { email, role },
  });
  expect(status).toBe(201);
  return { id: body.data.id, token: invitationTokenIn(await nextMail(email, mails)) };
}

/**
 * Sends requests in parallel; none of them changes a team before several are ready to.
 *
 * @returns their responses, in order
 */
export async function crowd<Result>(
  { db }: Pick<TestApi, 'db'>,
  teamId: string,
  calls: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const { underWay } = await db.transaction(async (tx) => {
    await tx.execute(sql`select id from organizations where id = ${teamId} for update`);
    const responses = Promise.all(calls.map((attempt) => attempt()));
    const waiting = async () => {
      await tx.execute(sql`select pg_stat_clear_snapshot()`);
      const [found] = await tx.execute<{ count: number }>(sql`
        select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return found?.count ?? 0;
    };
    const enough = Math.min(calls.length, 5);
    await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThanOrEqual(enough);
    // Wrapped, so that the transaction ends before the requests do.
    return { underWay: responses };
  });
  return underWay;
}
