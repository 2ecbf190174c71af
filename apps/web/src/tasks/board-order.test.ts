import type { TaskStatus } from '@atelier/client';
import { describe, expect, test } from 'vitest';
import { columnsOf, movedTasks, stepFrom, type Direction } from './board-order.ts';

const task = (id: string, status: TaskStatus) => ({ id, status });
const board = [
  task('a', 'TODO'),
  task('b', 'TODO'),
  task('c', 'TODO'),
  task('d', 'IN_PROGRESS'),
  task('e', 'DONE'),
];
const ids = (tasks: typeof board, status: TaskStatus) => {
  const column = columnsOf(tasks)[status];
  return column.map(({ id }) => id).join('');
};

describe('an optimistic move', () => {
  test.each([
    ['to a position in its column', { id: 'a', place: { position: 1 } }, 'TODO', 'bac'],
    ['beyond the end', { id: 'a', place: { position: 99 } }, 'TODO', 'bca'],
    ['before a neighbour', { id: 'c', place: { beforeId: 'b' } }, 'TODO', 'acb'],
    ['after a neighbour', { id: 'a', place: { afterId: 'b' } }, 'TODO', 'bac'],
    ['into another column', { id: 'a', place: { status: 'DONE', beforeId: 'e' } }, 'DONE', 'ae'],
    [
      'into an empty column',
      { id: 'b', place: { status: 'IN_REVIEW', position: 0 } },
      'IN_REVIEW',
      'b',
    ],
  ] as const)('moves %s', (_name, move, status, expected) => {
    const moved = movedTasks(board, move);
    expect(ids([...moved], status)).toBe(expected);
    expect(moved).toHaveLength(board.length);
  });

  test('changes nothing if the task or the neighbour is not shown', () => {
    expect(movedTasks(board, { id: 'x', place: { position: 0 } })).toBe(board);
    expect(movedTasks(board, { id: 'a', place: { afterId: 'x' } })).toBe(board);
    expect(movedTasks(board, { id: 'a', place: { status: 'DONE', afterId: 'b' } })).toBe(board);
  });
});

describe('a move by keyboard', () => {
  const after = (id: string, direction: Direction, status: TaskStatus) => {
    const place = stepFrom(board, { id, direction });
    return place && ids([...movedTasks(board, { id, place })], status);
  };

  test('moves up and down by one', () => {
    expect(after('b', 'up', 'TODO')).toBe('bac');
    expect(after('b', 'down', 'TODO')).toBe('acb');
  });

  test('moves to the same position of the next column, or to its end', () => {
    expect(after('a', 'right', 'IN_PROGRESS')).toBe('ad');
    expect(after('c', 'right', 'IN_PROGRESS')).toBe('dc');
    expect(after('e', 'left', 'IN_REVIEW')).toBe('e');
    expect(after('b', 'left', 'BACKLOG')).toBe('b');
  });

  test('returns undefined at the edges', () => {
    expect(after('a', 'up', 'TODO')).toBeUndefined();
    expect(after('c', 'down', 'TODO')).toBeUndefined();
    expect(stepFrom([task('z', 'CANCELLED')], { id: 'z', direction: 'right' })).toBeUndefined();
    expect(stepFrom([task('z', 'BACKLOG')], { id: 'z', direction: 'left' })).toBeUndefined();
  });
});
