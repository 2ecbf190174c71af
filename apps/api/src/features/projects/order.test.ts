import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { activities, projects } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';

let team: Awaited<ReturnType<typeof newTeamOf>>;

const { api, user } = await setUpApiWithUser();
beforeEach(async () => {
  team = await newTeamOf(api, user);
});

const list = (query: NonNullable<CallOptions['query']> = {}) =>
  call(api, 'projects.list', { ...team, query });
const move = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  call(api, 'projects.move', { ...team, params: { id }, body, headers });

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly position: number;
}

async function namesInOrder(query: NonNullable<CallOptions['query']> = {}): Promise<string[]> {
  const { body } = await list({ limit: 100, ...query });
  return body.data.items.map(({ name }: Listed) => name);
}

/** Projects A, B, C, … @returns their ids by name */
async function newProjects(names: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = await newProject(api, team, name);
  return ids;
}

function movesOf(id: string) {
  return api.db
    .select({ action: activities.action, changes: activities.changes })
    .from(activities)
    .where(eq(activities.resourceId, id))
    .orderBy(activities.id)
    .then((rows) => rows.filter(({ action }) => action === 'project.move'));
}

function setRank(id: string, rank: string) {
  return api.db.update(projects).set({ rank }).where(eq(projects.id, id));
}

describe('listing projects', () => {
  test('sorts by position by default, with the position among all projects', async () => {
    const { B = '' } = await newProjects('ABCD');
    await call(api, 'projects.update', {
      ...team,
      params: { id: B },
      body: { status: 'ARCHIVED' },
    });
    const { status, body } = await list();
    expect([status, body.message]).toEqual([200, 'Projects retrieved']);
    expect(body.data.items.map(({ name, position }: Listed) => [name, position])).toEqual([
      ['A', 0],
      ['B', 1],
      ['C', 2],
      ['D', 3],
    ]);
    const active = await list({ status: 'ACTIVE' });
    expect(active.body.data.items.map(({ position }: Listed) => position)).toEqual([0, 2, 3]);
    expect(await namesInOrder({ status: 'ARCHIVED' })).toEqual(['B']);
  });

  test('supports every documented order', async () => {
    const { B = '' } = await newProjects('CAB');
    await call(api, 'projects.update', { ...team, params: { id: B }, body: { description: 'x' } });
    expect(await namesInOrder({ sort: 'name' })).toEqual(['A', 'B', 'C']);
    expect(await namesInOrder({ sort: '-name' })).toEqual(['C', 'B', 'A']);
    expect(await namesInOrder({ sort: 'createdAt' })).toEqual(['C', 'A', 'B']);
    expect(await namesInOrder({ sort: '-createdAt' })).toEqual(['B', 'A', 'C']);
    expect(await namesInOrder({ sort: '-updatedAt' })).toEqual(['B', 'A', 'C']);
    expect(await namesInOrder({ sort: 'updatedAt' })).toEqual(['C', 'A', 'B']);
  });

  test('searches names literally, in any case', async () => {
    for (const name of ['100% sure', '100 sure', 'a_b', 'aXb', 'Ünicode']) {
      await newProject(api, team, name);
    }
    expect(await namesInOrder({ q: '0% S' })).toEqual(['100% sure']);
    expect(await namesInOrder({ q: 'A_B' })).toEqual(['a_b']);
    expect(await namesInOrder({ q: "'; --" })).toEqual([]);
    expect(await namesInOrder({ q: 'sure', sort: 'name', status: 'ACTIVE' })).toHaveLength(2);
  });

  test('pages through each project once', async () => {
    await newProjects('ABCDE');
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ page, limit: 2 })));
    expect(pages.map(({ body }) => body.data.items.map(({ name }: Listed) => name))).toEqual([
      ['A', 'B'],
      ['C', 'D'],
      ['E'],
      [],
    ]);
    expect(pages[1]?.body.data.pagination).toEqual({
      page: 2,
      limit: 2,
      total: 5,
      totalPages: 3,
      hasNext: true,
    });
    expect(pages[2]?.body.data.pagination.hasNext).toBe(false);
  });

  test.each([
    { sort: 'rank' },
    { sort: '-position' },
    { status: 'DELETED' },
    { limit: 101 },
    { page: 0 },
    { q: 'x'.repeat(201) },
  ])('by %j is refused', async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

describe('moving a project', () => {
  test.each([
    ['position 0', 'C', { position: 0 }, 'CABD'],
    ['a position in the middle', 'A', { position: 2 }, 'BCAD'],
    ['a position beyond the end', 'A', { position: 1_000_000 }, 'BCDA'],
    ['before another', 'D', { beforeId: 'B' }, 'ADBC'],
    ['after another', 'A', { afterId: 'C' }, 'BCAD'],
    ['after the last', 'B', { afterId: 'D' }, 'ACDB'],
    ['before the first', 'D', { beforeId: 'A' }, 'DABC'],
  ])('to %s puts it there and records its places', async (_, name, place, order) => {
    const ids = await newProjects('ABCD');
    const { status, body } = await move(ids[name] ?? '', withIds(place, ids));
    expect([status, body.message]).toEqual([200, 'Project moved']);
    expect((await namesInOrder()).join('')).toBe(order);
    expect(body.data.position).toBe(order.indexOf(name));
    expect(await movesOf(ids[name] ?? '')).toEqual([
      {
        action: 'project.move',
        changes: [{ field: 'position', from: 'ABCD'.indexOf(name), to: order.indexOf(name) }],
      },
    ]);
  });

  test.each([[{ position: 1 }], [{ afterId: 'A' }], [{ beforeId: 'C' }]])(
    'to %j, its current position, is a no-op without an activity',
    async (place) => {
      const ids = await newProjects('ABC');
      const before = await api.db
        .select()
        .from(projects)
        .where(eq(projects.id, ids['B'] ?? ''));
      const { status, body } = await move(ids['B'] ?? '', withIds(place, ids));
      expect([status, body.data.position]).toEqual([200, 1]);
      expect(
        await api.db
          .select()
          .from(projects)
          .where(eq(projects.id, ids['B'] ?? '')),
      ).toEqual(before);
      expect(await movesOf(ids['B'] ?? '')).toEqual([]);
    },
  );

  test('of an unknown project, or beside an unknown one or itself, is a 404 that changes nothing', async () => {
    const { A = '' } = await newProjects('AB');
    for (const [id, place] of [
      [newId(), { position: 0 }],
      [A, { beforeId: newId() }],
      [A, { afterId: newId() }],
      [A, { afterId: A }],
    ] as const) {
      const { status, body } = await move(id, place);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect(await namesInOrder()).toEqual(['A', 'B']);
  });

  test.each([
    [{}],
    [{ position: -1 }],
    [{ position: 1.5 }],
    [{ position: '0' }],
    [{ position: 0, afterId: newId() }],
    [{ beforeId: newId(), afterId: newId() }],
    [{ afterId: 'B' }],
  ])('to %j is refused', async (place) => {
    const { A = '' } = await newProjects('A');
    const { status, body } = await move(A, place);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  test('with the If-Match of an older state is a 412', async () => {
    const { A = '', B = '' } = await newProjects('AB');
    const seen = await call(api, 'projects.get', { ...team, params: { id: A } });
    await move(B, { position: 0 });
    const { status, body } = await move(
      A,
      { position: 0 },
      { 'if-match': String(seen.headers.get('etag')) },
    );
    expect([status, body.code]).toEqual([412, 'precondition_failed']);
    expect(await namesInOrder()).toEqual(['B', 'A']);
  });

  test('50 in parallel leave every project at a distinct position', async () => {
    const ids = Object.values(await newProjects('ABCDEFGHIJ'));
    const [anchor = ''] = ids;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const id = ids[1 + (n % 9)] ?? '';
        const places = [{ position: (n * 7) % 10 }, { beforeId: anchor }, { afterId: anchor }];
        return move(id, places[n % 3]);
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const { body } = await list({ limit: 100 });
    expect(body.data.items.map(({ position }: Listed) => position)).toEqual(
      Array.from({ length: 10 }, (_, n) => n),
    );
    expect(body.data.items.map(({ id }: Listed) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('into a nearly full gap gives every project a short rank again', async () => {
    const { A = '', B = '', C = '' } = await newProjects('ABC');
    // Right behind A's `a0`, as after hundreds of moves into that gap.
    await setRank(B, `a0${'0'.repeat(47)}1`);
    const { status, body } = await move(C, { afterId: A });
    expect([status, body.data.position]).toEqual([200, 1]);
    expect(await namesInOrder()).toEqual(['A', 'C', 'B']);
    const rows = await api.db
      .select({ rank: projects.rank })
      .from(projects)
      .where(eq(projects.organizationId, team.organizationId));
    for (const { rank } of rows) expect(rank.length).toBeLessThan(5);
  });

  test('that had the rank which is free once the list is ranked anew moves it', async () => {
    const { A = '', B = '', C = '' } = await newProjects('ABC');
    // Between A's `a0` and the next rank, which is `a1` again afterwards.
    await setRank(B, `a0${'0'.repeat(47)}1`);
    await setRank(C, 'a0V');
    const { status, body } = await move(C, { afterId: A });
    expect([status, body.data.position]).toEqual([200, 1]);
    expect(await namesInOrder()).toEqual(['A', 'C', 'B']);
    expect(await movesOf(C)).toEqual([
      { action: 'project.move', changes: [{ field: 'position', from: 2, to: 1 }] },
    ]);
  });

  test('in parallel with creations and deletions leaves consecutive positions', async () => {
    const ids = Object.values(await newProjects('ABCDEF'));
    const [a = '', b = ''] = ids;
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => newProject(api, team, `New ${n}`)).map(async (id) => {
        await id;
        return { status: 200 };
      }),
      ...ids.slice(2).map((id) => call(api, 'projects.remove', { ...team, params: { id } })),
      ...Array.from({ length: 8 }, (_, n) => move(n % 2 ? a : b, { position: n % 5 })),
      ...ids.slice(2).map((id) => move(a, { afterId: id })),
    ]);
    for (const { status } of responses) expect([200, 404]).toContain(status);
    const { body } = await list({ limit: 100 });
    expect(body.data.items.map(({ position }: Listed) => position)).toEqual(
      Array.from({ length: 10 }, (_, n) => n),
    );
  });
});

/** A position whose neighbour is given by name. */
function withIds(place: object, ids: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(place).map(([field, value]: [string, unknown]) => [
      field,
      typeof value === 'string' ? ids[value] : value,
    ]),
  );
}
