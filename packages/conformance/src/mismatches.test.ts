import { Task, type Operation, operations } from '@atelier/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeMismatch } from './mismatches.ts';

const [task] = z.array(z.record(z.string(), z.unknown())).parse(Task.meta()?.['examples']);

function mismatchOf(changes: Record<string, unknown>) {
  const body = { message: 'Task retrieved', data: { ...task, ...changes } };
  const { success } = (operations.find(({ id }) => id === 'tasks.get') as Operation).endpoint
    .metadata;
  const parsed = success.body?.safeParse(body);
  if (!parsed?.error) throw new Error('the body is as declared');
  return describeMismatch(parsed.error, body);
}

test('a wrong field is named with what is expected and what it has', () => {
  expect(mismatchOf({ title: 7 })).toEqual({
    expected: 'data.title: string',
    actual: 'data.title: 7',
  });
  expect(mismatchOf({ status: 'OPEN' })).toEqual({
    expected:
      'data.status: "BACKLOG" or "TODO" or "IN_PROGRESS" or "IN_REVIEW" or "DONE" or "CANCELLED"',
    actual: 'data.status: "OPEN"',
  });
  expect(mismatchOf({ title: undefined, number: 0 })).toEqual({
    expected: 'data.number: Too small: expected number to be >=1',
    actual: 'data.number: 0 (and 1 more wrong fields)',
  });
});

test('a token is not repeated', () => {
  const wrong = mismatchOf({ labels: { token: 'secret', more: 1 } });
  expect(wrong.actual).toBe('data.labels: {"token":"…","more":1}');
});
