import { expect, test } from 'vitest';
import { ofCopies } from './of-copies.ts';
import type { Plan } from './plan.ts';

const copies = new Map([
  ['users', 'users_102008'],
  ['organizations', 'organizations_102010'],
]);
const planOf = (text: string): Plan => ({
  text,
  parametersOf: () => ['value'],
  readRows: null,
  width: 1,
});

test.each([
  [
    'select "id" from "users" where "id" = $1',
    'with "users" as not materialized (select * from "users_102008") select "id" from "users" where "id" = $1',
  ],
  [
    'select 1 from sessions join users on true join organizations "own" on true',
    'with "users" as not materialized (select * from "users_102008"), ' +
      '"organizations" as not materialized (select * from "organizations_102010") ' +
      'select 1 from sessions join users on true join organizations "own" on true',
  ],
  ['select "users_id" from "sessions"', 'select "users_id" from "sessions"'],
])('names the copies of the tables that it reads: %s', (text, named) => {
  const plan = planOf(text);
  expect(ofCopies(plan, copies)).toEqual({ ...plan, text: named });
});
