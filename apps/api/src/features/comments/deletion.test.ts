import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, comments } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
const [owner, admin] = await Promise.all([newUser(api), newUser(api)]);
const team = await newTeamOf(api, owner);
await joinTeam(api, team.organizationId, admin, 'ADMIN');

const post = (taskId: string, body: string) =>
  call(api, 'comments.create', { ...team, params: { taskId }, body: { body } });

describe('while the task or its project is deleted', () => {
  test.each(['project', 'task'] as const)(
    'with the %s, new comments are stored or a 404, and none is left behind',
    async (parent) => {
      for (let round = 0; round < 5; round += 1) {
        const doomed = await newProject(api, team, 'Doomed');
        const { organizationId } = team;
        const id = await insertTask(api, { organizationId, projectId: doomed, createdBy: owner });
        const first = await post(id, 'first');
        const addressed = { ...team, params: { taskId: id, commentId: first.body.data.id } };
        const writing = Array.from({ length: 12 }, (_, n) =>
          post(id, n % 3 === 0 ? `@${admin.email}` : `${n}`),
        );
        const editing = call(api, 'comments.update', { ...addressed, body: { body: 'edited' } });
        const deleting =
          parent === 'project'
            ? call(api, 'projects.remove', { ...team, params: { id: doomed } }).then((response) =>
                expect(response.status).toBe(200),
              )
            : api.db.execute(
                sql`delete from tasks where organization_id = ${organizationId} and id = ${id}`,
              );
        const responses = await Promise.all([...writing, editing]);
        await deleting;
        for (const { status } of responses) expect([200, 201, 404]).toContain(status);
        expect(await api.db.$count(comments, eq(comments.taskId, id))).toBe(0);
        const written = responses.filter(({ status }) => status === 201).length;
        expect(
          await api.db.$count(
            activities,
            and(
              eq(activities.action, 'comment.create'),
              sql`${activities.metadata} ->> 'taskId' = ${id}`,
            ),
          ),
        ).toBe(written + 1);
      }
    },
  );
});
