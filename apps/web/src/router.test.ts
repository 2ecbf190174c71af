import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { matchesPage, shellJourneys, pageJourneys } from '../browser/testing/journeys.ts';
import { routerPages } from '../browser/testing/router-pages.ts';

test('every page has a journey, and every journey has a page', () => {
  expect(routerPages.length).toBeGreaterThan(20);
  expect(routerPages.toSorted()).toEqual(Object.keys(pageJourneys).toSorted());
});

test.each([...Object.entries(pageJourneys), ...Object.entries(shellJourneys)])(
  'the journey of %s is a browser test',
  (_, [file, title]) => {
    const path = join(import.meta.dirname, `../browser/${file}.test.ts`);
    const source = readFileSync(path, 'utf8');
    expect(source.split(`'${title}'`).length - 1, `“${title}” in ${file}`).toBe(1);
    expect(source).not.toMatch(/\b(test|describe)\.(skip|only|todo)\b/);
  },
);

test('matches a path to its page', () => {
  expect(matchesPage('/projects/019a', '/projects/$id')).toBe(true);
  expect(matchesPage('/projects', '/projects/$id')).toBe(false);
  expect(matchesPage('/projects/', '/projects/$id')).toBe(false);
  expect(matchesPage('/', '/')).toBe(true);
});
