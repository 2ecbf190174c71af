import { expect, test } from 'vitest';
import { operations, type OperationId } from '../packages/contract/src/operations.ts';
import { statusesToSee, unseenStatuses } from './status-coverage.ts';

function toSee(id: OperationId) {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`The contract has no operation ${id}`);
  return statusesToSee(operation);
}

test('an operation must be seen with its success and each error of its own', () => {
  expect(toSee('auth.login')).toEqual([
    { id: 'auth.login', status: 200, codes: [] },
    {
      id: 'auth.login',
      status: 400,
      codes: ['invalid_credentials', 'account_pending', 'account_suspended'],
    },
  ]);
});

test('what one mechanism answers for every operation is not asked of each', () => {
  expect(toSee('health.live').map(({ status }) => status)).toEqual([200]);
});

test('a status counts as seen for the operation that answered it, and for no other', () => {
  const declared = toSee('auth.login');
  expect(unseenStatuses(declared, new Set(['auth.login 200', 'auth.register 400']))).toEqual([
    expect.objectContaining({ id: 'auth.login', status: 400 }),
  ]);
  expect(unseenStatuses(declared, new Set(['auth.login 200', 'auth.login 400']))).toEqual([]);
});
