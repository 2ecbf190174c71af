// @module-tag slow

import { and, eq, isNull } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  activities,
  invitations,
  invitationTokens,
  organizations,
} from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { mailsTo, newUser, nextMail, type TestUser } from '../../../testing/accounts.ts';
import {
  call,
  cloneDatabase,
  someEmail,
  startTestApi,
  type CallOptions,
} from '../../../testing/api.ts';
import { crowdVariables, times } from '../../../testing/crowd.ts';
import { invitationTokenIn } from '../../../testing/invitations.ts';
import { untilIdle } from '../../../testing/library.ts';
import { newTeam } from '../../../testing/organizations.ts';
import { limited, movableTime, tally } from '../../../testing/rate-limits.ts';
import { setUpApi } from '../../../testing/set-up.ts';
let owner: TestUser;
let time: ReturnType<typeof movableTime>;

const databaseUrl = await cloneDatabase();
const environment = { ...limited, ...crowdVariables, RATE_LIMIT_REGISTER_PER_ADDRESS: '1000' };
const api = await setUpApi(environment, { databaseUrl });
const other = await setUpApi({ ...environment, JOBS: 'separate' }, { databaseUrl });
beforeEach(async () => {
  time = movableTime();
  owner = await newUser(api, 'owner');
});
afterEach(() => time.restore());

const minute = 60;

/** Mails sent to an address once every enqueued job is done. */
async function mailsSentTo(email: string) {
  await untilIdle(api);
  return mailsTo(email);
}

const offer = (teamId: string, body: unknown, through = api, options: CallOptions = {}) =>
  call(through, 'organizations.invite', {
    token: owner.token,
    params: { id: teamId },
    body,
    ...options,
  });
const rowsOf = (teamId: string) =>
  api.db.select().from(invitations).where(eq(invitations.organizationId, teamId));
const offersRecordedOf = (teamId: string) =>
  api.db.$count(
    activities,
    and(eq(activities.organizationId, teamId), eq(activities.action, 'invitation.create')),
  );
const preview = (token: string) => call(api, 'organizations.getInvitation', { params: { token } });
const tokensOf = (invitationId: string) =>
  api.db.select().from(invitationTokens).where(eq(invitationTokens.invitationId, invitationId));

describe('an inviter', () => {
  test('sends 50 invitations an hour, also of 200 in parallel through two instances', async () => {
    const team = await largeTeam();
    const responses = await Promise.all(
      times(200, (index) => offer(team.id, { email: someEmail() }, index % 2 ? api : other)),
    );
    expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 50, 429: 150 });
    expect(await rowsOf(team.id)).toHaveLength(50);
    expect(await offersRecordedOf(team.id)).toBe(50);
    await untilIdle(api);
  });

  test('gets the time of the next attempt; nothing is stored, nor an idempotency key', async () => {
    const team = await newTeam(api, owner);
    await usedUp(team.id);
    const headers = { 'idempotency-key': newId() };
    const email = someEmail();
    const refused = await offer(team.id, { email }, api, { headers });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(55 * minute);
    expect(refused.headers.get('ratelimit-policy')).toBe('"invitation-inviter";q=50;w=3600');
    expect(await rowsOf(team.id)).toHaveLength(1);
    expect(await offersRecordedOf(team.id)).toBe(50);

    time.pass({ seconds: 61 * minute });
    const token = await newToken(owner);
    expect((await offer(team.id, { email }, api, { headers, token })).status).toBe(201);
  });

  test('is not charged for a refused invitation', async () => {
    const team = await newTeam(api, owner);
    for (let refused = 0; refused < 60; refused += 1) {
      expect((await offer(team.id, { email: owner.email })).status).toBe(409);
    }
    expect((await offer(team.id, { email: someEmail() })).status).toBe(201);
  });

  /** Uses up an inviter's limit with one address. */
  async function usedUp(teamId: string) {
    const email = someEmail();
    const responses = await Promise.all(times(50, () => offer(teamId, { email })));
    expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 50 });
  }
});

describe('a mailbox', () => {
  test('gets five of these mails an hour across inviters, and no response reveals it', async () => {
    const email = someEmail('victim');
    const inviters = await Promise.all(times(8, (index) => newUser(api, `inviter${index}`)));
    const addresses = times(8, (index) => (index % 2 ? email : email.replace('@', `+${index}@`)));
    const responses = await Promise.all(
      inviters.map(async ({ id, token }, index) => {
        const team = await newTeam(api, { id });
        return offer(team.id, { email: addresses[index] }, api, { token });
      }),
    );
    for (const { status, body, headers } of responses) {
      expect([status, body.message, body.data.status]).toEqual([201, 'Invitation sent', 'PENDING']);
      expect(headers.get('ratelimit-policy')).toBe('"invitation-inviter";q=50;w=3600');
    }
    const countMails = async () =>
      (await Promise.all([...new Set(addresses)].map(mailsSentTo))).flat().length;
    expect(await countMails()).toBe(5);

    // An unsent mail is sent when the invitation is renewed after the hour.
    time.pass({ seconds: 61 * minute });
    for (const inviter of inviters) {
      const [row] = await api.db
        .select()
        .from(invitations)
        .where(and(eq(invitations.invitedBy, inviter.id), isNull(invitations.mailRequestedAt)));
      if (!row) continue;
      const token = await newToken(inviter);
      await offer(row.organizationId, { email: row.email }, api, { token });
    }
    expect(await countMails()).toBe(8);
  });

  test('gets at most five mails for 200 invitations from 20 accounts in parallel', async () => {
    const email = someEmail('victim');
    const inviters = await Promise.all(times(20, (index) => newUser(api, `bomber${index}`)));
    const responses = await Promise.all(
      inviters.flatMap((inviter) =>
        times(10, async () => {
          const team = await newTeam(api, inviter);
          return offer(team.id, { email }, api, { token: inviter.token });
        }),
      ),
    );
    expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 200 });
    expect(await mailsSentTo(email)).toHaveLength(5);
  });

  test('gets at most five mails for repeated invitations and revocations', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail('victim');
    for (let round = 0; round < 12; round += 1) {
      const { body } = await offer(team.id, { email });
      await untilIdle(api);
      await call(api, 'organizations.revokeInvitation', {
        token: owner.token,
        params: { id: team.id, invitationId: body.data.id },
      });
    }
    expect(await mailsSentTo(email)).toHaveLength(5);
  });

  test('is not charged for refused invitations', async () => {
    const team = await newTeam(api, owner);
    const guest = await newUser(api, 'guest');
    const full = await newTeam(api, guest);
    for (let refused = 0; refused < 10; refused += 1) {
      const response = await offer(full.id, { email: guest.email }, api, { token: guest.token });
      expect(response.status).toBe(409);
    }
    await offer(team.id, { email: guest.email });
    const links = (await mailsSentTo(guest.email)).filter(({ subject }) => /invited/.test(subject));
    expect(links).toHaveLength(1);
  });
});

describe('inviting again within ten minutes', () => {
  test('renews the invitation, sends no mail and keeps the mailed link', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail();
    const first = await offer(team.id, { email });
    const token = invitationTokenIn(await nextMail(email));
    time.pass({ seconds: 9 * minute });
    const second = await offer(team.id, { email, role: 'ADMIN' });
    expect([second.status, second.body.data.id]).toEqual([201, first.body.data.id]);
    expect(second.body.data.expiresAt > first.body.data.expiresAt).toBe(true);
    expect(await mailsSentTo(email)).toHaveLength(1);
    const seen = await preview(token);
    expect([seen.status, seen.body.data.role]).toEqual([200, 'ADMIN']);
    expect(await offersRecordedOf(team.id)).toBe(2);
  });

  test('40 times in parallel sends one mail with a working link', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail();
    const responses = await Promise.all(
      times(40, (index) => offer(team.id, { email }, index % 2 ? api : other)),
    );
    expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 40 });
    const [mail, ...more] = await mailsSentTo(email);
    expect(more).toEqual([]);
    expect((await preview(invitationTokenIn(mail ?? (await nextMail(email))))).status).toBe(200);
  });

  test('a mail follows after them: its link replaces the first', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail();
    const { body } = await offer(team.id, { email });
    const old = invitationTokenIn(await nextMail(email));
    time.pass({ seconds: 10 * minute });
    await offer(team.id, { email });
    const current = invitationTokenIn(await nextMail(email, 2));
    expect((await preview(old)).status).toBe(410);
    expect((await preview(current)).status).toBe(200);
    expect(await tokensOf(body.data.id)).toHaveLength(2);
  });

  test('a clock that was set back keeps no mail back', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail();
    await offer(team.id, { email });
    await nextMail(email);
    time.pass({ seconds: -9 * minute });
    await offer(team.id, { email }, api, { token: await newToken(owner) });
    expect(await mailsSentTo(email)).toHaveLength(1);
    time.pass({ seconds: -24 * 60 * minute });
    await offer(team.id, { email }, api, { token: await newToken(owner) });
    const current = invitationTokenIn(await nextMail(email, 2));
    expect((await preview(current)).status).toBe(200);
  });

  test('a mailbox at its limit keeps the link of its last mail', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail();
    const links: string[] = [];
    let token = owner.token;
    for (let round = 1; round <= 5; round += 1) {
      await offer(team.id, { email }, api, { token });
      links.push(invitationTokenIn(await nextMail(email, round)));
      time.pass({ seconds: 10 * minute });
      token = await newToken(owner);
    }
    const { status } = await offer(team.id, { email }, api, { token });
    expect([status, (await mailsSentTo(email)).length]).toEqual([201, 5]);
    expect((await preview(String(links.at(-1)))).status).toBe(200);
  });
});

test('without limits every invitation is mailed', async () => {
  const free = await startTestApi();
  const inviter = await newUser(free, 'owner');
  const team = await newTeam(free, inviter);
  const email = someEmail();
  for (let sent = 1; sent <= 7; sent += 1) {
    await offer(team.id, { email }, free, { token: inviter.token });
    await nextMail(email, sent);
  }
  await untilIdle(free);
  expect(await mailsTo(email)).toHaveLength(7);
  await free.close();
});

/** Starts a new session, since the time that a test skips ends the previous one. */
async function newToken(user: TestUser): Promise<string> {
  const { body } = await call(api, 'auth.login', { body: user });
  return String(body.data.token.accessToken);
}

/** A team with unlimited places. */
async function largeTeam() {
  const team = await newTeam(api, owner);
  await api.db
    .update(organizations)
    .set({ planCode: 'BUSINESS' })
    .where(eq(organizations.id, team.id));
  return team;
}
