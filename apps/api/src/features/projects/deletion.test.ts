import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { comments, tasks } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { insertTask, newProject, projectRequests } from '../../testing/board.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const { create, get, update, remove } = projectRequests(api, user);

describe('deleting a project', () => {
  test('deletes its tasks and their comments, and no other’s', async () => {
    const team = await newTeamOf(api, user);
    const { organizationId } = team;
    const [gone, kept] = [await newProject(api, team), await newProject(api, team, 'Kept')];
    for (const projectId of [gone, kept]) {
      const taskId = await insertTask(api, { organizationId, projectId, createdBy: user });
      await api.db.insert(comments).values({
        organizationId,
        id: newId(),
        taskId,
        authorId: user.id,
        body: 'x',
        createdAt: new Date(),
      });
    }
    const { status, body } = await remove(gone, team);
    expect([status, body]).toEqual([200, { message: 'Project deleted', data: { id: gone } }]);
    expect((await get(gone, team)).status).toBe(404);
    expect((await remove(gone, team)).status).toBe(404);
    expect(await api.db.$count(tasks, eq(tasks.projectId, gone))).toBe(0);
    expect(await api.db.$count(comments, eq(comments.organizationId, organizationId))).toBe(1);
    expect((await get(kept, team)).body.data).toMatchObject({ position: 0 });
    expect((await activitiesOf(api, gone)).slice(1)).toMatchObject([
      { action: 'project.delete', resourceName: 'Website', metadata: { taskCount: 1 } },
    ]);
  });

  test('is allowed to its creator, an admin or an owner; changing it to every member but viewers', async () => {
    const team = await newTeamOf(api, user);
    const { organizationId } = team;
    const people = await Promise.all(
      (['ADMIN', 'MEMBER', 'VIEWER'] as const).map(async (role) => {
        const person = await newUser(api);
        await joinTeam(api, organizationId, person, role);
        return { token: person.token, organizationId };
      }),
    );
    const [admin, member, viewer] = people as [typeof team, typeof team, typeof team];
    const ownersProject = await newProject(api, team);
    const membersProject = await newProject(api, member);
    const another = await newProject(api, member);

    const refusals = [
      await remove(ownersProject, member),
      await remove(ownersProject, viewer),
      await update(ownersProject, { name: 'x' }, viewer),
      await create({ name: 'x' }, viewer),
      await call(api, 'projects.move', {
        ...viewer,
        params: { id: another },
        body: { position: 0 },
      }),
    ];
    for (const { status, body } of refusals) {
      expect([status, body.code]).toEqual([403, 'permission_denied']);
    }
    expect((await get(ownersProject, viewer)).status).toBe(200);
    expect((await update(ownersProject, { name: 'Ours' }, member)).status).toBe(200);
    expect((await remove(membersProject, member)).status).toBe(200);
    expect((await remove(ownersProject, admin)).status).toBe(200);
    expect((await remove(another, team)).status).toBe(200);
  });

  test('20 times in parallel happens once', async () => {
    const id = await newProject(api, user);
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(19);
    expect(await activitiesOf(api, id)).toHaveLength(2);
  });
});
