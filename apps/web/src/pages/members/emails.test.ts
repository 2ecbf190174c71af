import { expect, test } from 'vitest';
import { emailsOf } from './emails.ts';

test('addresses are found however they are separated, each once', () => {
  expect(emailsOf('Ada@example.com, grace@example.com;alan@example.com\n ada@example.com')).toEqual(
    ['ada@example.com', 'grace@example.com', 'alan@example.com'],
  );
});

test('addresses that a mail program has copied lose the names beside them', () => {
  expect(emailsOf('"Ada Lovelace" <ada@example.com>, Grace <grace@example.com>')).toEqual([
    'ada@example.com',
    'grace@example.com',
  ]);
});

test('what is no address stays, so that it can be complained about', () => {
  expect(emailsOf('ada@example.com nobody')).toEqual(['ada@example.com', 'nobody']);
});
