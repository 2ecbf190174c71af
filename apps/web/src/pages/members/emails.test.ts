import { expect, test } from 'vitest';
import { emailsOf } from './emails.ts';

test('splits addresses at any separator and removes duplicates', () => {
  expect(emailsOf('Ada@example.com, grace@example.com;alan@example.com\n ada@example.com')).toEqual(
    ['ada@example.com', 'grace@example.com', 'alan@example.com'],
  );
});

test('removes the display names that mail programs copy', () => {
  expect(emailsOf('"Ada Lovelace" <ada@example.com>, Grace <grace@example.com>')).toEqual([
    'ada@example.com',
    'grace@example.com',
  ]);
});

test('keeps invalid addresses, so that they can be reported', () => {
  expect(emailsOf('ada@example.com nobody')).toEqual(['ada@example.com', 'nobody']);
});
