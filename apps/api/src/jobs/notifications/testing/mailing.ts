import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { mailsTo, newUser, type TestUser } from '../../../testing/accounts.ts';
import type { TestApi } from '../../../testing/api.ts';
import { insertTask, newProject } from '../../../testing/board.ts';
import { untilEvents } from '../../../testing/inboxes.ts';
import { joinTeam, newTeamOf } from '../../../testing/organizations.ts';
import { startJobs } from '../../start.ts';

/** A team with a task that its members can be told of; jobs run only when a test runs them. */
export async function newMailingTeam(api: TestApi) {
  const jobs = await startJobs(api.deps);
  const [author, reader, bystander] = await Promise.all([
    newUser(api, 'author'),
    newUser(api, 'reader'),
    newUser(api, 'bystander'),
  ]);
  await jobs.stop();
  const team = await newTeamOf(api, author);
  const { organizationId } = team;
  await joinTeam(api, organizationId, reader, 'VIEWER');
  await joinTeam(api, organizationId, bystander, 'MEMBER');
  const projectId = await newProject(api, team, 'Website');
  const task = { organizationId, projectId, createdBy: author, title: 'Write the imprint' };
  return { author, reader, bystander, team, projectId, taskId: await insertTask(api, task) };
}

/** Lets the consumer take what has happened, until a person has so many events in all. */
export async function untilArrived(api: TestApi, user: TestUser, events: number): Promise<void> {
  const jobs = await startJobs(api.deps);
  await untilEvents(api, user, events);
  await jobs.stop();
}

/** Runs every job in the queue, as if a minute had passed. */
export async function runAllJobs(api: TestApi): Promise<void> {
  await api.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
  const jobs = await startJobs(api.deps);
  await expect
    .poll(() => api.db.execute(sql`select task_identifier, last_error from graphile_worker.jobs`), {
      timeout: 20_000,
    })
    .toHaveLength(0);
  await jobs.stop();
}

/** The mails to a person, without that of the new account. */
export async function noticesTo(user: TestUser) {
  const mails = await mailsTo(user.email);
  return mails.filter(({ subject }) => subject !== 'Please verify your email');
}
