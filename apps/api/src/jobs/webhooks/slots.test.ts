import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

let endpoints = 0;
const endpoint = (organizationId: string) => ({ organizationId, webhookId: `${(endpoints += 1)}` });

test('an organization has three slots, and gets one back when it releases one', () => {
  const slots = createSlots();
  const [first, second, third] = [
    slots.take(endpoint('a')),
    slots.take(endpoint('a')),
    slots.take(endpoint('a')),
  ];
  expect([first, second, third].every(Boolean)).toBe(true);
  expect(slots.take(endpoint('a'))).toBeNull();
  expect(slots.take(endpoint('b'))).not.toBeNull();
  second?.release();
  expect(slots.take(endpoint('a'))).not.toBeNull();
  expect(slots.take(endpoint('a'))).toBeNull();
});

test('a slot tells whether another endpoint was refused since it was taken', () => {
  const slots = createSlots();
  const [first] = [slots.take(endpoint('a')), slots.take(endpoint('a')), slots.take(endpoint('a'))];
  expect(first?.isContended).toBe(false);
  slots.take(endpoint('b'));
  expect(first?.isContended).toBe(false);
  slots.take(endpoint('a'));
  expect(first?.isContended).toBe(true);
  first?.release();
  expect(slots.take(endpoint('a'))?.isContended).toBe(false);
});

test('endpoints that are slow get half of the slots, until they are fast again', () => {
  const slots = createSlots();
  const slow = ['a', 'b', 'c', 'd', 'e'].map(endpoint);
  for (const each of slow) {
    const slot = slots.take(each);
    slot?.noteSlow(true);
    slot?.release();
  }
  const taken = slow.map((each) => slots.take(each));
  expect(taken.map(Boolean)).toEqual([true, true, true, true, false]);
  expect(slots.take(endpoint('e'))).not.toBeNull();
  taken[0]?.noteSlow(false);
  taken[0]?.release();
  // Its place is free, and it needs none of them any more.
  expect(slow.slice(4).map((each) => Boolean(slots.take(each)))).toEqual([true]);
  expect(slow.slice(0, 1).map((each) => Boolean(slots.take(each)))).toEqual([true]);
});
