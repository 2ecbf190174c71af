// @module-tag slow

import { and, asc, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { projects } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newId } from '../../kernel/ids.ts';
import { longestRank, type Anchor } from './ranks.ts';
import { rankAt, rankAtEnd, rankedLists, type RankedList } from './queries.ts';

const api = await setUpApi();

interface Owner {
  readonly organizationId: string;
}

const lists = rankedLists<Owner>(
  {
    table: projects,
    id: projects.id,
    rank: projects.rank,
    within: ({ organizationId }) => eq(projects.organizationId, organizationId),
  },
  { organizationId: sql.placeholder('organizationId') },
);

/** Inserts an organization's projects as a ranked list: the first takes `count` items, named from 0. */
async function listOf(count: number) {
  const { id: createdBy, organizationId } = await newUser(api);
  const list = { ...lists, key: { organizationId } } satisfies RankedList<Owner>;
  const isInList = eq(projects.organizationId, organizationId);
  const ids: string[] = [];
  const read = () =>
    api.db
      .select({ id: projects.id, name: projects.name, rank: projects.rank })
      .from(projects)
      .where(isInList)
      .orderBy(asc(projects.rank));

  const item = {
    async add(name: string, anchor?: Anchor) {
      const id = newId();
      await api.db.transaction(async (tx) => {
        const free = anchor
          ? await rankAt(tx, list, { anchor, standing: null })
          : await rankAtEnd(tx, list);
        const at = new Date();
        await tx.insert(projects).values({
          id,
          organizationId,
          name,
          key: name,
          status: 'ACTIVE',
          rank: String(free?.rank),
          createdBy,
          createdAt: at,
          updatedAt: at,
        });
      });
      return id;
    },
    /** @returns whether it moved; null for an invalid neighbour */
    async move(id: string, anchor: Anchor) {
      const mine = and(isInList, eq(projects.id, id));
      return api.db.transaction(async (tx) => {
        const [current] = await tx.select({ rank: projects.rank }).from(projects).where(mine);
        const standing = String(current?.rank);
        const free = await rankAt(tx, list, { anchor, standing });
        if (free === null) return null;
        const { rank, isRenewed } = free;
        const isMoved = rank !== standing || isRenewed;
        if (isMoved) await tx.update(projects).set({ rank }).where(mine);
        return isMoved;
      });
    },
    read,
    order: async () => (await read()).map(({ name }) => name).join(''),
  };
  for (let index = 0; index < count; index += 1) ids.push(await item.add(String(index)));
  const at = (index: number) => String(ids[index]);
  return { ...item, at };
}

test('each anchor puts an item at its position, and an item already there stays', async () => {
  const list = await listOf(5);
  const steps: [number, Anchor, boolean, string][] = [
    [0, { position: 4 }, true, '12340'],
    [0, { position: 999_999 }, false, '12340'],
    [0, { position: 0 }, true, '01234'],
    [0, { position: 0 }, false, '01234'],
    [1, { position: 3 }, true, '02314'],
    [1, { position: 2 }, true, '02134'],
    [1, { position: 2 }, false, '02134'],
    [4, { beforeId: list.at(0) }, true, '40213'],
    [4, { beforeId: list.at(0) }, false, '40213'],
    [4, { afterId: list.at(3) }, true, '02134'],
    [4, { afterId: list.at(3) }, false, '02134'],
    [2, { afterId: list.at(1) }, true, '01234'],
    [2, { beforeId: list.at(3) }, false, '01234'],
    [3, { beforeId: list.at(1) }, true, '03124'],
  ];
  for (const [index, anchor, moved, order] of steps) {
    expect(await list.move(list.at(index), anchor)).toBe(moved);
    expect(await list.order()).toBe(order);
  }
});

test('a neighbour is another item of the same list', async () => {
  const list = await listOf(2);
  const other = await listOf(1);
  for (const neighbourId of [newId(), other.at(0), list.at(0)]) {
    expect(await list.move(list.at(0), { beforeId: neighbourId })).toBeNull();
    expect(await list.move(list.at(0), { afterId: neighbourId })).toBeNull();
  }
  expect(await list.order()).toBe('01');
});

test('a new item can go to any position, also of an empty list', async () => {
  const list = await listOf(0);
  const first = await list.add('a', { position: 7 });
  await list.add('b', { position: 0 });
  await list.add('c', { beforeId: first });
  await list.add('d', { afterId: first });
  await list.add('e');
  expect(await list.order()).toBe('bcade');
});

test('a list whose ranks grow long is ranked anew, in the same order', async () => {
  const list = await listOf(4);
  const lengths: number[] = [];
  // Two items alternate in one gap: each needs a rank between the other and its neighbour.
  for (let turn = 0; turn < 400; turn += 1) {
    const [goes, stays] = turn % 2 === 0 ? [2, 1] : [1, 2];
    expect(await list.move(list.at(goes), { beforeId: list.at(stays) })).toBe(true);
    const rows = await list.read();
    expect(rows.map(({ name }) => name).join('')).toBe(`0${goes}${stays}3`);
    lengths.push(Math.max(...rows.map(({ rank }) => rank.length)));
  }
  expect(Math.max(...lengths)).toBeLessThanOrEqual(longestRank);
  expect(lengths.some((length, index) => length < Number(lengths[index - 1]) - 20)).toBe(true);
});

test('new items in one gap keep ranks short too', async () => {
  const list = await listOf(2);
  const names = Array.from({ length: 350 }, (_, index) => `n${index}`);
  for (const name of names) await list.add(name, { beforeId: list.at(1) });
  const rows = await list.read();
  expect(rows.map(({ name }) => name)).toEqual(['0', ...names, '1']);
  expect(Math.max(...rows.map(({ rank }) => rank.length))).toBeLessThanOrEqual(longestRank);
  expect(new Set(rows.map(({ rank }) => rank)).size).toBe(352);
});
