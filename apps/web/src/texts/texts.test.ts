import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allTexts } from './index.ts';

test('allTexts contains every module of texts', () => {
  const names = readdirSync(import.meta.dirname)
    .filter((file) => !/index|test/.test(file))
    .map((file) =>
      file.replace('.ts', '').replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase()),
    );
  const missing = names.filter((name) => !(name in allTexts));
  expect(missing.map((name) => `add ${name} to allTexts in apps/web/src/texts/index.ts`)).toEqual(
    [],
  );
  expect(Object.keys(allTexts)).toHaveLength(names.length);
});

test('no text is empty', () => {
  const empty: string[] = [];
  function walk(node: unknown, path: string): void {
    if (typeof node === 'string' && node.trim() === '') empty.push(path);
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) walk(child, `${path}.${key}`);
  }
  walk(allTexts, 'texts');
  expect(empty).toEqual([]);
});

test('a total at which counting stopped has a plus', () => {
  const { shared, viewer } = allTexts;
  expect(shared.shownOf(50, 10_000, true)).toBe('50 of 10,000+');
  expect(shared.shownOf(50, 10_000, false)).toBe('50 of 10,000');
  expect(viewer.position(10_051, 10_000, true)).toBe('10,051 of 10,000+');
  expect(viewer.position(2, 3, false)).toBe('2 of 3');
});
