import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { invitations, invitationTokens, organizations } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import type { Mail } from '../../ports/mailer.ts';
import { newUser } from '../../testing/accounts.ts';
import { call, cloneDatabase, someEmail, startTestApi } from '../../testing/api.ts';
import { invitationTokenIn } from '../../testing/invitations.ts';
import { newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { sendInvitation } from './send-invitation.ts';

const databaseUrl = await cloneDatabase();
const withJobs = await startTestApi({}, { databaseUrl });
const owner = await newUser(withJobs, 'owner');
await withJobs.close();
// From here on jobs run when a test says so, and as often.
const api = await setUpApi({ JOBS: 'separate' }, { databaseUrl });

const day = 24 * 60 * 60;
const appUrl = 'https://app.example.com';

/** The test's own mail server; `sent` has the mails that it accepted. */
function someMailer(onSend: (mail: Mail) => Promise<void> = async () => {}) {
  const sent: Mail[] = [];
  return {
    sent,
    async send(mail: Mail) {
      await onSend(mail);
      sent.push(mail);
    },
    close() {},
  };
}

type TestMailer = ReturnType<typeof someMailer>;

interface OfferKey {
  readonly organizationId: string;
  readonly invitationId: string;
}

async function offer(teamId: string, email: string, role = 'MEMBER'): Promise<OfferKey> {
  const { status, body } = await call(api, 'organizations.invite', {
    token: owner.token,
    params: { id: teamId },
    body: { email, role },
  });
  expect(status).toBe(201);
  return { organizationId: teamId, invitationId: String(body.data.id) };
}

async function someOffer() {
  const team = await newTeam(api, owner);
  return offer(team.id, someEmail());
}

const run = (mailer: TestMailer, key: OfferKey) =>
  sendInvitation({ db: api.db, clock: api.clock, mailer, appUrl }, key);

const revoke = ({ organizationId, invitationId }: OfferKey) =>
  call(api, 'organizations.revokeInvitation', {
    token: owner.token,
    params: { id: organizationId, invitationId },
  });

/** Checks whether the links of mails work, in the order in which they were sent. */
const linksWork = ({ sent }: TestMailer) =>
  Promise.all(
    sent.map(async (mail) => {
      const params = { token: invitationTokenIn({ ...mail, id: '', to: [], headers: {} }) };
      return (await call(api, 'organizations.getInvitation', { params })).status === 200;
    }),
  );

const tokensOf = (invitationId: string) =>
  api.db.select().from(invitationTokens).where(eq(invitationTokens.invitationId, invitationId));

/** A switch for a mail that is being sent. */
function someGate() {
  const gate = Promise.withResolvers<void>();
  return { open: () => gate.resolve(), opened: gate.promise };
}

test('a job that runs again after its mail has left revokes no link', async () => {
  const key = await someOffer();
  const mailer = someMailer();
  await run(mailer, key);
  await run(mailer, key);
  expect(await linksWork(mailer)).toEqual([true, true]);
});

test('an unavailable mail server does not affect earlier mails', async () => {
  const key = await someOffer();
  const mailer = someMailer();
  await run(mailer, key);
  const away = someMailer(() => Promise.reject(new Error('the mail server is away')));
  await expect(run(away, key)).rejects.toThrow('away');
  expect(await linksWork(mailer)).toEqual([true]);
  await run(mailer, key);
  expect(await linksWork(mailer)).toEqual([true, true]);
});

test('an offer that is renewed while its mail is being sent is mailed again', async () => {
  const key = await someOffer();
  const arrived = someGate();
  const responded = someGate();
  const mailer = someMailer(async () => {
    arrived.open();
    await responded.opened;
  });
  const running = run(mailer, key);
  await arrived.opened;
  const [row] = await api.db.select().from(invitations).where(eq(invitations.id, key.invitationId));
  await offer(key.organizationId, String(row?.email), 'ADMIN');
  responded.open();
  await running;
  expect(await linksWork(mailer)).toEqual([false, true]);
});

test('an offer that is revoked while its mail is being sent is not', async () => {
  const key = await someOffer();
  const mailer = someMailer(async () => {
    await revoke(key);
  });
  await run(mailer, key);
  expect(await linksWork(mailer)).toEqual([false]);
});

test('one job sends the offers of one address that wait for the mail server', async () => {
  const team = await newTeam(api, owner);
  const email = someEmail();
  const keys = [await offer(team.id, email), await offer(team.id, email, 'ADMIN')];
  expect(keys[1]).toEqual(keys[0]);
  const waiting = await api.db.execute(sql`
    select payload from graphile_worker._private_jobs
    where payload->>'organizationId' = ${team.id}`);
  expect(waiting.map(({ payload }) => payload)).toEqual([keys[0]]);
});

test.each([
  ['revoked', (key: OfferKey) => revoke(key)],
  [
    'accepted',
    ({ invitationId }: OfferKey) =>
      api.db
        .update(invitations)
        .set({ status: 'ACCEPTED' })
        .where(eq(invitations.id, invitationId)),
  ],
  [
    'of a deleted organization',
    ({ organizationId }: OfferKey) =>
      api.db
        .update(organizations)
        .set({ deletedAt: new Date() })
        .where(eq(organizations.id, organizationId)),
  ],
  [
    'past its time',
    async () => {
      api.clock.advance({ seconds: 7 * day });
    },
  ],
])('an invitation that is %s is not mailed, and gets no token', async (_, end) => {
  const key = await someOffer();
  const mailer = someMailer();
  await end(key);
  await run(mailer, key);
  expect([mailer.sent, await tokensOf(key.invitationId)]).toEqual([[], []]);
});

test('neither is an unknown one', async () => {
  const team = await newTeam(api, owner);
  const mailer = someMailer();
  await run(mailer, { organizationId: team.id, invitationId: newId() });
  expect(mailer.sent).toEqual([]);
});
