import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { additions, operations } from './index.ts';

const specified = readFileSync(new URL('../fixtures/operations.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll(/\{(\w+)\}/g, ':$1'));

test('the contract has every operation of the specification, and no other but those marked as additions', () => {
  const declared = operations
    .filter(({ id }) => !additions.includes(id))
    .map(({ id, endpoint }) => ({ id, route: `${endpoint.method} ${endpoint.path}` }));
  const additional = declared.filter(({ route }) => !specified.includes(route));
  expect(
    additional.map(
      ({ id }) =>
        `add "isAddition: true" to ${id} in packages/contract/src/${id.replace(/\..*/, '.ts')}`,
    ),
  ).toEqual([]);
  expect(specified).toHaveLength(73);
  expect(declared.map(({ route }) => route).toSorted()).toEqual(specified.toSorted());
});

test('no operation of the specification is marked as an addition', () => {
  const added = operations.filter(({ id }) => additions.includes(id));
  const routes = added.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
  expect(routes.filter((route) => specified.includes(route))).toEqual([]);
});

const fixedTexts = {
  'auth.login': 'You are logged-in successfully',
  'auth.exchange': 'You are logged-in successfully',
  'auth.logout': 'You have been logged out',
  'uploads.complete': 'Upload completed successfully',
  'auth.refresh': null,
  'auth.user': null,
};

test.each(Object.entries(fixedTexts))('%s responds with the specified message', (id, message) => {
  const operation = operations.find((candidate) => candidate.id === id);
  expect(operation?.endpoint.metadata.success.message).toBe(message);
});

test('only token refresh and the current user omit the message, only logout and the end of mails the data', () => {
  const json = operations.filter(({ endpoint }) => endpoint.metadata.success.body !== null);
  const idsWhere = (part: 'message' | 'data') =>
    json.filter(({ endpoint }) => endpoint.metadata.success[part] === null).map(({ id }) => id);
  expect(idsWhere('message')).toEqual(['auth.user', 'auth.refresh']);
  expect(idsWhere('data')).toEqual(['auth.logout', 'notifications.unsubscribe']);
});
