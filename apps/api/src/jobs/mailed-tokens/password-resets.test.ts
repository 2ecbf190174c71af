import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { users } from '../../db/generated/schema.ts';
import { accountActivitiesOf } from '../../testing/activities.ts';
import { somePassword } from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { refusingMailServer } from '../../testing/refusing-mail-server.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startJobs } from '../start.ts';

const api = await setUpApi({ JOBS: 'separate' });

const isReset = sql`task_identifier = 'send_password_reset'`;

/** Lets the mail of a reset fail three times. */
async function failThreeTimes(): Promise<void> {
  const config = { ...api.config, SMTP_URL: await refusingMailServer() };
  const runner = await startJobs({ ...api.deps, config });
  await vi.waitFor(
    async () => {
      await api.db.execute(sql`
        select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
        from graphile_worker.jobs where ${isReset}`);
      const [job] = await api.db.execute(sql`
        select bool_and(attempts >= 3) as "isRepeated" from graphile_worker.jobs where ${isReset}`);
      expect(job).toEqual({ isRepeated: true });
    },
    { timeout: 30_000, interval: 100 },
  );
  await runner.stop();
}

test('a request for a reset is recorded once, however often its mail is tried, and the next one again', async () => {
  const email = someEmail();
  await call(api, 'auth.register', { body: { email, password: somePassword } });
  const [user] = await api.db.select().from(users).where(eq(users.email, email));
  const requests = async () =>
    (await accountActivitiesOf(api, String(user?.id))).filter(
      ({ action }) => action === 'user.request_password_reset',
    );
  const request = { body: { email }, headers: { 'x-request-id': 'the-same-of-both' } };

  await call(api, 'auth.requestPasswordReset', request);
  await failThreeTimes();
  expect(await requests()).toHaveLength(1);
  await call(api, 'auth.requestPasswordReset', request);
  await failThreeTimes();
  expect((await requests()).map(({ requestId }) => requestId)).toEqual([
    'the-same-of-both',
    'the-same-of-both',
  ]);
});
