import { expect, test } from 'vitest';
import { mailsTo, newUser } from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { untilIdle } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startJobs } from '../start.ts';

const api = await setUpApi({ JOBS: 'separate' });

/** Runs jobs as long as the work takes, and until the queue is empty. */
async function withJobs<Result>(work: () => Promise<Result>): Promise<Result> {
  const jobs = await startJobs(api.deps);
  try {
    const result = await work();
    await untilIdle(api);
    return result;
  } finally {
    await jobs.stop();
  }
}

test('of two requests before the first mail only the second is mailed, with one link', async () => {
  const { token } = await withJobs(() => newUser(api));
  const [mistyped, meant] = [someEmail('mistyped'), someEmail('meant')];
  for (const newEmail of [mistyped, meant]) {
    const asked = await call(api, 'account.requestEmailChange', { token, body: { newEmail } });
    expect([asked.status, asked.body.code]).toEqual([200, undefined]);
  }
  await withJobs(async () => {});
  expect(await mailsTo(mistyped)).toEqual([]);
  expect((await mailsTo(meant)).map(({ subject }) => subject)).toEqual(['Confirm your new email']);
});
