import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOfPage, journeysOfFrame, journeysOfPages } from '../browser/testing/journeys.ts';

/** The router's own source: it can't be loaded without a browser. */
const router = readFileSync(join(import.meta.dirname, 'router.tsx'), 'utf8');
const pages = [...router.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path);

test('every page has a journey, and no journey is of a page that is gone', () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.toSorted()).toEqual(Object.keys(journeysOfPages).toSorted());
});

test.each([...Object.entries(journeysOfPages), ...Object.entries(journeysOfFrame)])(
  'the journey of %s is one of the tests in a browser',
  (_, [file, title]) => {
    const path = join(import.meta.dirname, `../browser/${file}.test.ts`);
    const source = readFileSync(path, 'utf8');
    expect(source.split(`'${title}'`).length - 1, `“${title}” in ${file}`).toBe(1);
    expect(source).not.toMatch(/\b(test|describe)\.(skip|only|todo)\b/);
  },
);

test('an address is told from those of other pages', () => {
  expect(isOfPage('/projects/019a', '/projects/$id')).toBe(true);
  expect(isOfPage('/projects', '/projects/$id')).toBe(false);
  expect(isOfPage('/projects/', '/projects/$id')).toBe(false);
  expect(isOfPage('/', '/')).toBe(true);
});
