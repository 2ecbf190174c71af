import { memberAccess, pathMemberAccess, target, type Access } from '@atelier/contract';
import { describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../db/executor.ts';
import type { PublicContext } from './context.ts';
import { TargetChecks } from './targets.ts';
import { mutate } from '../domain/transaction.ts';

const targets = {
  'params.id': target('asset', 'asset:edit'),
  'body.collectionId': target('collection', 'asset:create'),
  'body.assigneeIds': target('member', 'member:read'),
};

function checksOf(body: unknown, access: Access = memberAccess('asset:edit')): TargetChecks {
  return new TargetChecks({ targets, access, input: { params: { id: 'an id' }, body } });
}

/** Reports whether a transaction committed, which is all that these tests check. */
function outcomeOf(checks: TargetChecks, work: () => void) {
  const db = {
    transaction: async (run: (tx: Transaction) => Promise<unknown>) => run({} as Transaction),
  } as unknown as Database;
  const ctx = { claim: null, approvalId: null, targets: checks } as unknown as PublicContext;
  const clock = { now: () => new Date() };
  return mutate({ db, clock, ctx }, async () => work()).then(
    () => 'committed',
    (error: Error) => error.message,
  );
}

describe('a mutation', () => {
  test('that checked nothing does not commit, and the error names the unchecked id', async () => {
    expect(await outcomeOf(checksOf({ collectionId: 'b' }), () => {})).toBe(
      'nothing checked the right on params.id, body.collectionId',
    );
  });

  test('that forgot one does not commit', async () => {
    const checks = checksOf({ collectionId: 'b', assigneeIds: ['c'] });
    const work = () => {
      checks.note('params.id');
      checks.note('body.assigneeIds');
    };
    expect(await outcomeOf(checks, work)).toBe('nothing checked the right on body.collectionId');
  });

  test.each([undefined, null, {}, { assigneeIds: [] }, { __proto__: { collectionId: 'b' } }])(
    'commits when it checked what the request has: %j',
    async (body) => {
      const checks = checksOf(body);
      expect(await outcomeOf(checks, () => checks.note('params.id'))).toBe('committed');
    },
  );

  test('leaves the organization in its path to the membership check', async () => {
    const checks = checksOf({}, pathMemberAccess('member:manage'));
    expect(await outcomeOf(checks, () => {})).toBe('committed');
  });
});

test('an undeclared check is a defect', () => {
  expect(() => checksOf({}).permissionOn('body.otherId')).toThrow(
    'the contract has no permission on body.otherId',
  );
  expect(checksOf({}).permissionOn('params.id')).toBe('asset:edit');
});

test('checks of a rolled-back transaction are forgotten', () => {
  const checks = checksOf({});
  const forget = checks.mark();
  checks.note('params.id');
  checks.assertAllChecked();
  forget();
  expect(() => checks.assertAllChecked()).toThrow('params.id');
});
