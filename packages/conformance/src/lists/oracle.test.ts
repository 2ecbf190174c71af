import { Activity, Task, type FilterRule, type SortKey } from '@atelier/contract';
import { expect, test } from 'vitest';
import { randomnessOf } from '../randomness.ts';
import { matches, sorted } from './oracle.ts';
import { areTelling, valuesToTry } from './values.ts';

const key = (field: string, direction: SortKey['direction'] = 'ascending'): SortKey => ({
  field,
  direction,
  asIn: null,
});

const items = [
  { id: 'a', priority: 'LOW', dueDate: null, title: 'b', projectId: 'p1' },
  { id: 'b', priority: 'URGENT', dueDate: '2031-01-02T00:00:00.000Z', title: 'a', projectId: 'p2' },
  { id: 'c', priority: 'LOW', dueDate: '2031-01-01T00:00:00.000Z', title: 'a', projectId: 'p1' },
];

function idsBy(...keys: SortKey[]): string {
  const idsOf = new Map([['projects.list', ['p2', 'p1']]]);
  return sorted(items, { keys, itemSchema: Task, idsOf })
    .map(({ id }) => String(id))
    .join('');
}

test('sorts enumerations by their order, null last, and by the order of another list', () => {
  expect(idsBy(key('priority'), key('id'))).toBe('acb');
  expect(idsBy(key('priority', 'descending'), key('id', 'descending'))).toBe('bca');
  expect(idsBy(key('dueDate'))).toBe('cba');
  expect(idsBy(key('dueDate', 'descending'))).toBe('bca');
  expect(idsBy(key('title'), key('id', 'descending'))).toBe('cba');
  expect(idsBy({ ...key('projectId'), asIn: 'projects.list' }, key('id'))).toBe('bac');
});

test('compares as the rule of a filter says', () => {
  const item = {
    title: 'Ten 5%',
    assignees: [{ id: 'u1' }, { id: 'u2' }],
    createdBy: 'u1',
    dueDate: '2031-01-01T00:00:00.000Z',
  };
  const match = (comparison: FilterRule['comparison'], field: string, value: string) =>
    matches({ comparison, fields: [field] }, item, { value, callerId: 'u2' });
  expect(match('equal', 'assignees.id', 'me')).toBe(true);
  expect(match('equal', 'assignees.id', 'u3')).toBe(false);
  expect(match('contains', 'title', 'EN 5%')).toBe(true);
  expect(match('startsWith', 'title', 'en')).toBe(false);
  expect(match('before', 'dueDate', '2031-01-01')).toBe(false);
  expect(match('notBefore', 'dueDate', '2031-01-01')).toBe(true);
  expect(match('scope', 'createdBy', 'personal')).toBe(false);
  expect(match('scope', 'createdBy', 'organization')).toBe(true);
});

test('tries values that items have, and one that none has', () => {
  const rule = { comparison: 'equal', fields: ['action'] } as const;
  const activities = [{ action: 'task.create' }, { action: 'task.update' }];
  const filtering = { rule, schema: Activity.shape.action, items: activities, callerId: '' };
  const values = valuesToTry(filtering, randomnessOf(1));
  expect(values.slice(0, 2)).toEqual(['task.create', 'task.update']);
  expect(values).toHaveLength(3);
  expect(areTelling(filtering, values)).toBe(true);
  const same = { ...filtering, items: [{ action: 'task.create' }] };
  expect(areTelling(same, ['task.create'])).toBe(false);
});
