import { expect, test } from 'vitest';
import { sentOften, serializedOnce } from './sent-often.ts';

test('only data that is sent often is serialized once', () => {
  let times = 0;
  const serialize = () => `text ${(times += 1)}`;
  const [once, often] = [{ name: 'one' }, sentOften({ name: 'one' })];
  expect([once, once].map((data) => serializedOnce(data, serialize))).toEqual(['text 1', 'text 2']);
  expect([often, often].map((data) => serializedOnce(data, serialize))).toEqual([
    'text 3',
    'text 3',
  ]);
  expect(serializedOnce({ ...often }, serialize)).toBe('text 4');
  expect(serializedOnce(undefined, serialize)).toBe('text 5');
});
