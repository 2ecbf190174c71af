import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadFold, type Fold } from '../../domain/folding.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { FoundRow } from './queries/find.ts';
import { presentHits } from './present.ts';

const foldNow = await loadFold();
const store: Pick<ObjectStore, 'presignDownload'> = {
  presignDownload: async () => 'https://storage.example',
};
const readable = { types: ['task'], persons: true, projects: true, collections: true } as const;
const terms = [{ lexemes: ['lamp'], isBeginning: true }];

function taskOf(body: string): FoundRow {
  return {
    type: 'task',
    id: '019aa4f6-5f70-7182-8394-af1b2c3d4e5f',
    organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
    title: 'A lamp',
    projectKey: 'WEB',
    number: 1,
    status: 'TODO',
    project: null,
    collection: null,
    task: null,
    tags: null,
    body,
    email: null,
    firstName: null,
    lastName: null,
    thumbnailKey: null,
    updatedAt: '2026-11-21T09:30:00.000Z',
    match: 'words',
    score: '1',
  };
}

const pageOf = (bodies: readonly string[], fold: Fold) =>
  presentHits(store, bodies.map(taskOf), { terms, readable, fold });

/** Presents a page. @returns with what was folded for it, in each turn of the event loop and altogether */
async function foldedFor(bodies: readonly string[]) {
  const turns = [{ words: 0, letters: 0 }];
  const page = pageOf(bodies, (word) => {
    const folded = foldNow(word);
    const last = turns.at(-1);
    if (last) {
      last.words += 1;
      last.letters += folded.length;
    }
    return folded;
  });
  let isOver = false;
  const over = page.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await turn();
    turns.push({ words: 0, letters: 0 });
  }
  const sum = (of: 'words' | 'letters') => turns.reduce((total, each) => total + each[of], 0);
  return { hits: await over, turns, words: sum('words'), letters: sum('letters') };
}

const long = 'lorem ipsum dolor sit amet '.repeat(740);

test('a text is folded to the end of its highlight only', async () => {
  const { hits, words } = await foldedFor([`${'before '.repeat(100)}a lamp, ${long}`]);
  expect(hits[0]?.highlights.map(({ field }) => field)).toEqual(['title', 'description']);
  expect(hits[0]?.highlights.at(-1)?.text).toMatch(/^(before ){8}a lamp, lorem .+$/);
  expect(words).toBeLessThan(160);
});

test('a page of long texts is looked through in full, and leaves the process to others after each', async () => {
  const bodies = Array.from({ length: 20 }, () => `${long} lamp`);
  const { hits, turns } = await foldedFor(bodies);
  expect(hits).toHaveLength(20);
  for (const { highlights } of hits) expect(highlights.at(-1)?.text).toMatch(/ lamp$/);
  expect(turns.filter(({ words }) => words > 0).length).toBeGreaterThanOrEqual(20);
  expect(Math.max(...turns.map(({ letters }) => letters))).toBeLessThan(20_000);
});

test.each([
  ['letters that become many', '\ufdfa '.repeat(10_000)],
  ['short words', 'é '.repeat(10_000)],
])('texts of %s cost a page no more than others, and other fields nothing', async (_, body) => {
  const { hits, turns, words, letters } = await foldedFor(
    Array.from({ length: 50 }, () => `${body.slice(0, -5)} lamp`),
  );
  expect(hits.map(({ highlights }) => highlights[0]?.text)).toEqual(
    Array.from({ length: 50 }, () => 'A lamp'),
  );
  expect(words).toBeLessThan(130_000);
  expect(letters).toBeLessThan(1_100_000);
  expect(Math.max(...turns.map((each) => each.letters))).toBeLessThan(190_000);
});
