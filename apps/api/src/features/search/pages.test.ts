// @module-tag slow

import { SearchPage } from '@atelier/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { logIn, newUser, somePassword } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { untilFollowed, untilIdle } from '../../testing/library.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { search, searchAll, suggest } from '../../testing/searches.ts';
import { setUpApi } from '../../testing/set-up.ts';

const queries = Number(process.env['SEARCH_QUERIES'] ?? 700);
const atOnce = 8;
const queriesPerSignIn = 500;

const api = await setUpApi({ DATABASE_POOL_MAX: '20' });
const owner = await newUser(api, 'owner');
let team = await newTeamOf(api, owner);
let projectId: string;

/** A long run outlives an access token. */
async function signInAnew(): Promise<void> {
  const { token } = await logIn(api, { email: owner.email, password: somePassword });
  team = { ...team, token };
}

async function newTask(title: string, body: Record<string, unknown> = {}): Promise<string> {
  const made = await call(api, 'tasks.create', {
    ...team,
    params: { projectId },
    body: { title, ...body },
  });
  expect(made.status).toBe(201);
  return made.body.data.id;
}

beforeAll(async () => {
  projectId = await newProject(api, team);
  for (let number = 1; number <= 23; number += 1) await newTask(`Paint wall ${number}`);
  for (const title of ['Paint shop', 'Painting']) {
    await call(api, 'collections.create', { ...team, body: { title } });
  }
  await untilFollowed(api);
  // Tests make teams without an activity, so that nothing says who is a member.
  await call(api, 'search.rebuild', { token: team.token, params: { id: team.organizationId } });
  await untilIdle(api);
});

describe('pages', () => {
  test.each([
    ['many hits', { q: 'paint', limit: 4 }],
    ['hits of one type', { q: 'paint', limit: 4, types: 'task' }],
    ['few hits, and similar ones', { q: 'shop', limit: 1 }],
    ['similar hits only', { q: 'piant shpo', limit: 1 }],
  ])('of %s have each once, as many as the totals say', async (_, query) => {
    const idsIn = async () => {
      const { pages, items } = await searchAll(api, team, query);
      expect(pages.every(({ isComplete }) => isComplete)).toBe(true);
      const ids = items.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      return { ids, items, first: pages[0]?.totals, last: pages.at(-1)?.totals };
    };
    const before = await idsIn();
    expect(before.last).toEqual(before.first);
    for (const [type, total] of Object.entries(before.first?.byType ?? {})) {
      if ('types' in query && query.types !== type) continue;
      const ofType = before.items.filter((item) => item.type === type);
      expect([type, ofType.length]).toEqual([type, total]);
    }
    // With writes going on, none is missing.
    let isDone = false;
    const writing = (async () => {
      for (let number = 0; !isDone; number += 1) await newTask(`Paint meanwhile ${number}`);
    })();
    const meanwhile = await idsIn();
    isDone = true;
    await writing;
    if (before.ids.length >= 5) expect(meanwhile.ids).toEqual(expect.arrayContaining(before.ids));
    expect(meanwhile.ids.length).toBeGreaterThanOrEqual(meanwhile.first?.all ?? 0);
    await untilFollowed(api);
  });

  test('continue with the same query, caller and organization only', async () => {
    const { pagination } = await search(api, team, { q: 'paint', limit: 2 });
    const cursor = String(pagination.nextCursor);
    const altered = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA');
    const other = await newTeamOf(api, owner);
    for (const [searcher, query] of [
      [team, { q: 'painting' }],
      [team, { q: 'paint', types: 'task' }],
      [other, { q: 'paint' }],
      [team, { q: 'paint', cursor: altered }],
    ] as const) {
      const { status, body } = await call(api, 'search.find', {
        ...searcher,
        query: { cursor, ...query },
      });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    }
    expect((await search(api, team, { q: 'paint', limit: 2, cursor })).items).toHaveLength(2);
  });
});

describe('the order', () => {
  test('puts whole titles first, then beginnings, then words', async () => {
    const [word, beginning, whole] = [
      await newTask('About the zebra crossing'),
      await newTask('Zebra crossing at the corner'),
      await newTask('Zebra crossing'),
    ];
    await untilFollowed(api);
    const { items } = await search(api, team, { q: 'zebra crossing' });
    expect(items.map(({ id, match }) => [id, match])).toEqual([
      [whole, 'exact'],
      [beginning, 'words'],
      [word, 'words'],
    ]);
  });
});

describe('filters', () => {
  test('of the query and of the request agree', async () => {
    const mine = await newTask('Varnish the door', { assigneeIds: [owner.id] });
    const late = await newTask('Varnish the floor', { dueDate: '2020-01-01T00:00:00.000Z' });
    await untilFollowed(api);
    const found = async (query: Record<string, string>) =>
      (await search(api, team, { q: 'varnish', ...query })).items
        .filter(({ match }) => match !== 'similar')
        .map(({ id }) => id)
        .toSorted();
    const both = [mine, late].toSorted();
    expect(await found({})).toEqual(both);
    for (const q of ['varnish assignee:me', 'varnish assignee:owner'])
      expect(await found({ q })).toEqual([mine]);
    expect(await found({ assigneeId: 'me' })).toEqual([mine]);
    expect(await found({ q: 'varnish is:overdue' })).toEqual([late]);
    expect(await found({ q: 'varnish -floor' })).toEqual([mine]);
    expect(await found({ q: '"the floor"' })).toEqual([late]);
    expect(await found({ q: 'in:Website varnish' })).toEqual(both);
    expect(await found({ q: 'in:elsewhere varnish' })).toEqual([]);
    expect(await found({ q: 'by:me varnish' })).toEqual(both);
    expect(await found({ createdBy: owner.id, status: 'DONE' })).toEqual([]);
    expect(await found({ to: '2020-01-01T00:00:00.000Z' })).toEqual([]);
    expect(await found({ q: 'varnish before:2020-01-01' })).toEqual([]);
    expect(await found({ q: 'type:task is:overdue' })).toEqual([late]);
  });
});

describe('highlights', () => {
  test('are text with ranges that part no character', async () => {
    const description = `${'🎉 früher '.repeat(60)}<img onerror="alert(1)"> Zitróne🍋`;
    const id = await newTask('A <b>title</b> with zitrone', { description });
    await untilFollowed(api);
    const { items } = await search(api, team, { q: 'zitrone' });
    expect(items.map((item) => item.id)).toEqual([id]);
    const [title, text] = items[0]?.highlights ?? [];
    expect(title).toMatchObject({ field: 'title', text: 'A <b>title</b> with zitrone' });
    expect(text?.field).toBe('description');
    expect(text?.text).toContain('<img onerror="alert(1)">');
    expect(text?.text.isWellFormed()).toBe(true);
    for (const { text: shown, ranges } of [title, text].filter((field) => field !== undefined)) {
      for (const [start = 0, end = 0] of ranges) {
        expect(shown.slice(start, end)).toMatch(/^zitr[oó]ne$/i);
      }
    }
  });
});

describe('any query', () => {
  const signs = [
    "'",
    '\\',
    '&',
    '|',
    '!',
    '<->',
    ':*',
    '(',
    ')',
    '"',
    '%',
    '_',
    '-',
    '#1',
    'WEB-1',
    '🎉',
    '\u202e',
    '\u200d',
    'e\u0301',
    'ß',
    '北京',
    'paint',
    'wall',
    ' ',
    ' ',
    'type:',
    'type:task',
    'in:"',
    'by:me',
    'is:open',
    'before:2026-02-31',
    '*',
    '\t',
    'x'.repeat(200),
    "'; drop table tasks; --",
    '\u0000',
    '\ud800',
    'ﬁ',
    'Ⅷ',
    'ａ',
  ];
  const randomQuery = () =>
    Array.from(
      { length: 1 + Math.floor(Math.random() * 8) },
      () => signs[Math.floor(Math.random() * signs.length)],
    ).join('');

  test(
    'is searched or refused',
    async () => {
      const run = async () => {
        for (let count = 1; count <= queries / atOnce; count += 1) {
          if (count % queriesPerSignIn === 0) await signInAnew();
          const q = randomQuery();
          const { status, body } = await call(api, 'search.find', { ...team, query: { q } });
          const isFine = status === 200 ? SearchPage.safeParse(body.data).success : status === 400;
          expect([q, status, body.code, isFine]).toEqual([q, status, body.code, true]);
          const suggested = await call(api, 'search.suggest', { ...team, query: { q } });
          expect([q, [200, 400].includes(suggested.status)]).toEqual([q, true]);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, run));
    },
    300_000 + queries * 50,
  );

  test('of signs only is refused', async () => {
    for (const q of ['?!', '"', "' & '", '\u200d']) {
      const { status, body } = await call(api, 'search.find', { ...team, query: { q } });
      expect([q, status, body.code]).toEqual([q, 400, 'search_query_invalid']);
    }
    expect((await suggest(api, team, { q: 'type:collection paint' })).items).toHaveLength(2);
  });

  test('of more than 12 words is cut', async () => {
    const page = await search(api, team, { q: `${'wall '.repeat(12)}nothing` });
    expect(page.isComplete).toBe(false);
    expect(page.totals.byType.task).toBeGreaterThan(0);
  });
});
