import { expect, test } from 'vitest';
import { readableChanges } from './changes.ts';

test('labels known fields and values', () => {
  const changes = [
    { field: 'status', from: 'TODO', to: 'IN_PROGRESS' },
    { field: 'dueDate', from: '2026-11-21', to: null },
    { field: 'publicLinkEnabled', from: false, to: true },
  ];
  expect(readableChanges(changes)).toEqual([
    { label: 'Status', from: 'To do', to: 'In progress' },
    { label: 'Due', from: '2026-11-21', to: 'none' },
    { label: 'Public link', from: 'off', to: 'on' },
  ]);
});

test('leaves out ids, objects and unknown fields', () => {
  const changes = [
    { field: 'assigneeIds', from: [], to: ['019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42'] },
    { field: 'title', from: { nested: true }, to: 'Brand' },
    { field: 'constructor', from: 'a', to: 'b' },
  ];
  expect(readableChanges(changes)).toEqual([]);
});

test('truncates a long text between characters', () => {
  const [change] = readableChanges([{ field: 'description', from: '🎨'.repeat(200), to: 'b' }]);
  expect(change?.from).toBe(`${'🎨'.repeat(80)}…`);
});
