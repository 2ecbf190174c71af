import { expect, test } from 'vitest';
import { shareHands } from './hands.ts';

let endpoints = 0;
const endpoint = (organizationId: string) => ({ organizationId, webhookId: `${(endpoints += 1)}` });

test('an organization has three hands, and gets one back when it releases one', () => {
  const hands = shareHands();
  const [first, second, third] = [
    hands.take(endpoint('a')),
    hands.take(endpoint('a')),
    hands.take(endpoint('a')),
  ];
  expect([first, second, third].every(Boolean)).toBe(true);
  expect(hands.take(endpoint('a'))).toBeNull();
  expect(hands.take(endpoint('b'))).not.toBeNull();
  second?.release();
  expect(hands.take(endpoint('a'))).not.toBeNull();
  expect(hands.take(endpoint('a'))).toBeNull();
});

test('a hand tells whether another endpoint was refused since it was taken', () => {
  const hands = shareHands();
  const [first] = [hands.take(endpoint('a')), hands.take(endpoint('a')), hands.take(endpoint('a'))];
  expect(first?.isWanted).toBe(false);
  hands.take(endpoint('b'));
  expect(first?.isWanted).toBe(false);
  hands.take(endpoint('a'));
  expect(first?.isWanted).toBe(true);
  first?.release();
  expect(hands.take(endpoint('a'))?.isWanted).toBe(false);
});

test('endpoints that are slow get half of the hands, until they are fast again', () => {
  const hands = shareHands();
  const slow = ['a', 'b', 'c', 'd', 'e'].map(endpoint);
  for (const each of slow) {
    const hand = hands.take(each);
    hand?.noteSlow(true);
    hand?.release();
  }
  const taken = slow.map((each) => hands.take(each));
  expect(taken.map(Boolean)).toEqual([true, true, true, true, false]);
  expect(hands.take(endpoint('e'))).not.toBeNull();
  taken[0]?.noteSlow(false);
  taken[0]?.release();
  // Its place is free, and it needs none of them any more.
  expect(slow.slice(4).map((each) => Boolean(hands.take(each)))).toEqual([true]);
  expect(slow.slice(0, 1).map((each) => Boolean(hands.take(each)))).toEqual([true]);
});
