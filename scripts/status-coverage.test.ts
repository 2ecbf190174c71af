import { expect, test } from 'vitest';
import { operations, type OperationId } from '../packages/contract/src/operations.ts';
import { statusesToSee, unseenStatuses } from './status-coverage.ts';

function toSee(id: OperationId) {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`The contract has no operation ${id}`);
  return statusesToSee(operation);
}

test('the tests of an operation have to get its success and each of its own errors', () => {
  expect(toSee('auth.login')).toEqual([
    { id: 'auth.login', status: 200, codes: [] },
    {
      id: 'auth.login',
      status: 400,
      codes: [
        'invalid_credentials',
        'second_factor_required',
        'second_factor_invalid',
        'account_pending',
        'account_suspended',
        'account_deletion_pending',
      ],
    },
  ]);
});

test('errors of a common mechanism are not required of each operation', () => {
  expect(toSee('health.live').map(({ status }) => status)).toEqual([200]);
});

test('a status counts only for the operation that responded with it', () => {
  const declared = toSee('auth.login');
  expect(unseenStatuses(declared, new Set(['auth.login 200', 'auth.register 400']))).toEqual([
    expect.objectContaining({ id: 'auth.login', status: 400 }),
  ]);
  expect(unseenStatuses(declared, new Set(['auth.login 200', 'auth.login 400']))).toEqual([]);
});
