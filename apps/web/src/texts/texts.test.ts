import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allTexts } from './index.ts';

test('allTexts contains every module of texts', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !/index|test/.test(file));
  expect(Object.keys(allTexts)).toHaveLength(files.length);
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
