import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { projects } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newProject, projectRequests } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const { create, get, update } = projectRequests(api, user);

const noTasks = {
  total: 0,
  byStatus: { BACKLOG: 0, TODO: 0, IN_PROGRESS: 0, IN_REVIEW: 0, DONE: 0, CANCELLED: 0 },
};

async function stored(id: string) {
  const [row] = await api.db.select().from(projects).where(eq(projects.id, id));
  return row;
}

describe('creating a project', () => {
  test('responds 201 with the project at the end of the list, and records one activity', async () => {
    const team = await newTeamOf(api, user);
    await newProject(api, team);
    const { status, body } = await create({ name: '  Über uns ', description: ' kept ' }, team);
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Project created',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        name: 'Über uns',
        description: ' kept ',
        key: 'UU',
        status: 'ACTIVE',
        position: 1,
        taskCounts: noTasks,
        createdBy: user.id,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: body.data.createdAt,
      },
    });
    expect(await activitiesOf(api, body.data.id)).toEqual([
      expect.objectContaining({
        action: 'project.create',
        actorId: user.id,
        organizationId: team.organizationId,
        resourceType: 'project',
        resourceName: 'Über uns',
        changes: [
          { field: 'name', from: null, to: 'Über uns' },
          { field: 'description', from: null, to: ' kept ' },
        ],
        metadata: { key: 'UU' },
      }),
    ]);
    expect((await get(body.data.id, team)).body.data).toEqual(body.data);
  });

  test.each([
    ['no name', {}, ['name']],
    ['a blank name', { name: ' \t ' }, ['name']],
    ['a name of 121 characters', { name: 'x'.repeat(121) }, ['name']],
    ['a name with NUL', { name: 'a\0' }, ['name']],
    [
      'a description of 5,001 characters',
      { name: 'x', description: 'y'.repeat(5001) },
      ['description'],
    ],
    ['a description that is a number', { name: 'x', description: 7 }, ['description']],
  ])('with %s is refused and stores nothing', async (_, body, path) => {
    const before = await api.db.$count(projects);
    const response = await create(body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(response.body.errors).toEqual([expect.objectContaining({ in: 'body', path })]);
    expect(await api.db.$count(projects)).toBe(before);
  });

  test('ignores unknown fields', async () => {
    const team = await newTeamOf(api, user);
    const { status, body } = await create(
      { name: 'x', id: newId(), key: 'EVIL', position: 0, status: 'ARCHIVED', createdBy: newId() },
      team,
    );
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ key: 'X1', status: 'ACTIVE', createdBy: user.id });
  });

  test('names of one letter, of none, and of the same words get distinct keys in their organization', async () => {
    const [one, other] = [await newTeamOf(api, user), await newTeamOf(api, user)];
    const keysIn = async (team: typeof one) => {
      const keys = [];
      for (const name of ['Website', 'Website', '東京', '—', '🦊', '***', '12']) {
        keys.push((await create({ name }, team)).body.data.key);
      }
      return keys;
    };
    const keys = ['WEB', 'WEB2', 'DON', 'PRJ', 'FOX', 'PRJ2', 'PRJ3'];
    expect(await keysIn(one)).toEqual(keys);
    expect(await keysIn(other)).toEqual(keys);
  });

  test('20 in parallel all succeed, with distinct keys and the positions 0 to 19', async () => {
    const team = await newTeamOf(api, user);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => create({ name: 'Website' }, team)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(responses.map(({ body }) => body.data.key)).size).toBe(20);
    expect(responses.map(({ body }) => body.data.position).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
  });

  test('with an Idempotency-Key happens once', async () => {
    const team = await newTeamOf(api, user);
    const options = { ...team, headers: { 'idempotency-key': newId() } };
    const first = await create({ name: 'Once' }, options);
    const second = await create({ name: 'Once' }, options);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    const { organizationId } = team;
    expect(await api.db.$count(projects, eq(projects.organizationId, organizationId))).toBe(1);
  });
});

describe('the limit of the plan', () => {
  /** Inserts projects up to `count` as rows, with the ranks of a list that grows at its end. */
  async function fillUpTo(team: { organizationId: string }, count: number) {
    await api.db.execute(sql`
      insert into projects (organization_id, id, name, key, status, rank, created_by, created_at, updated_at)
      select ${team.organizationId}::uuid, gen_random_uuid(), 'Filler', 'F' || n, 'ACTIVE',
        'b' || lpad(n::text, 2, '0'), ${user.id}::uuid, now(), now()
      from generate_series(0, ${count - 1}::int) as n`);
  }
  const active = (team: { organizationId: string }) =>
    api.db.$count(
      projects,
      and(eq(projects.organizationId, team.organizationId), eq(projects.status, 'ACTIVE')),
    );

  test('is never exceeded by parallel creations and restorations', async () => {
    const team = await newTeamOf(api, user);
    const archived = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => {
        const id = await newProject(api, team, name);
        expect((await update(id, { status: 'ARCHIVED' }, team)).status).toBe(200);
        return id;
      }),
    );
    await fillUpTo(team, 96);
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => create({ name: `New ${n}` }, team)),
      ...archived.map((id) => update(id, { status: 'ACTIVE' }, team)),
    ]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(4);
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'plan_limit_reached',
      message: 'The plan allows 100 for projects; this would make 101',
    });
    expect(await active(team)).toBe(100);
  });

  test('frees a place when a project is archived, and does not affect other changes', async () => {
    const team = await newTeamOf(api, user);
    const id = await newProject(api, team);
    await fillUpTo(team, 99);
    expect((await create({ name: 'One more' }, team)).status).toBe(409);
    expect((await update(id, { name: 'Renamed', status: 'ACTIVE' }, team)).status).toBe(200);
    expect((await update(id, { status: 'ARCHIVED' }, team)).status).toBe(200);
    expect((await create({ name: 'One more' }, team)).status).toBe(201);
    const back = await update(id, { name: 'Nope', status: 'ACTIVE' }, team);
    expect([back.status, back.body.code]).toEqual([409, 'plan_limit_reached']);
    expect(await stored(id)).toMatchObject({ name: 'Renamed', status: 'ARCHIVED' });
    expect((await activitiesOf(api, id)).map(({ action }) => action)).toEqual([
      'project.create',
      'project.update',
      'project.update',
    ]);
  });
});
