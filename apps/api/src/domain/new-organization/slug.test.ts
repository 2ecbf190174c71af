import { expect, test } from 'vitest';
import { slugsFor } from './slug.ts';

test.each([
  ['Analytical Engines', 'analytical-engines'],
  ['  Бюро Ölmühle & Co. ', 'byuro-oelmuehle-and-co'],
  ['GitHub', 'github'],
  ['../../etc/passwd?x=%2e', 'etc-passwd-x-2e'],
  ['日本 🦊', 'team'],
  ['x'.repeat(59) + ' y', 'x'.repeat(59)],
])('a slug of %j is %j', (name, expected) => {
  expect(slugsFor(name).next().value).toBe(expected);
});

test('a taken slug has different alternatives', () => {
  const slugs = slugsFor('Analytical Engines');
  expect(slugs.next().value).toBe('analytical-engines');
  const others = Array.from({ length: 1000 }, () => slugs.next().value);
  expect(new Set(others).size).toBe(1000);
  for (const slug of others) expect(slug).toMatch(/^analytical-engines-[0-9a-f]{8}$/);
});
