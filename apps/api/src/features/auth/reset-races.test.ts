import { and, eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { collections, comments, organizations } from '../../db/generated/schema.ts';
import { nextMail, tokenIn } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { times } from '../../testing/crowd.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { verifyDatabase } from '../../domain/verify/verify.ts';
let taskId: string;

const { api, user } = await setUpApiWithUser();
beforeAll(async () => {
  const { token } = user;
  const project = await call(api, 'projects.create', { token, body: { name: 'Races' } });
  const params = { projectId: project.body.data.id };
  const task = await call(api, 'tasks.create', { token, params, body: { title: 'Race' } });
  taskId = task.body.data.id;
});

const kinds = [
  ['comments.create', () => ({ params: { taskId }, body: { body: 'Raced' } })],
  ['collections.create', () => ({ body: { title: 'Raced' } })],
  ['organizations.create', () => ({ body: { name: 'Raced' } })],
  ['profile.update', (index: number) => ({ body: { firstName: `Raced ${index}` } })],
] as const satisfies [string, (index: number) => CallOptions][];

test('each of 40 changes in parallel with a password reset succeeds or is refused, and none succeeds after it', async () => {
  const { id: userId, email, token } = user;
  await call(api, 'auth.requestPasswordReset', { body: { email } });
  const mailed = tokenIn(await nextMail(email, 2));
  const reset = { body: { token: mailed, password: 'another horse battery' } };

  const changes = times(40, (index) => async () => {
    const [id, inputOf] = kinds[index % kinds.length] ?? kinds[0];
    const response = await call(api, id, { token, ...inputOf(index) });
    return { id, status: response.status, code: response.body.code };
  });
  const early = Promise.all(changes.slice(0, 20).map((change) => change()));
  const [done, ...late] = await Promise.all([
    call(api, 'auth.resetPassword', reset),
    ...changes.slice(20).map((change) => change()),
  ]);
  expect(done.status).toBe(200);
  const responses = [...(await early), ...late];
  for (const { status, code } of responses) {
    expect([200, 201, 401]).toContain(status);
    if (status === 401) expect(code).toBe('unauthenticated');
  }

  // The responses match the stored rows.
  const successes = (id: string) =>
    responses.filter((response) => response.id === id && response.status < 300).length;
  const { organizationId } = user;
  expect({
    comments: await api.db.$count(comments, eq(comments.taskId, taskId)),
    collections: await api.db.$count(collections, eq(collections.organizationId, organizationId)),
    teams: await api.db.$count(
      organizations,
      and(eq(organizations.ownerId, userId), eq(organizations.type, 'TEAM')),
    ),
  }).toEqual({
    comments: successes('comments.create'),
    collections: successes('collections.create'),
    teams: successes('organizations.create'),
  });

  const again = await Promise.all(changes.slice(0, kinds.length).map((change) => change()));
  expect(again.map(({ status }) => status)).toEqual(kinds.map(() => 401));
  const broken = (await verifyDatabase(api.db)).filter(({ total }) => total > 0);
  expect(broken).toEqual([]);
});
