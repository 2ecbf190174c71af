import type { OperationId } from '@atelier/contract';

/**
 * Operations that the contract declares and whose room isn't built yet. They go the whole way of a
 * request and then answer 501. The list only shrinks.
 */
export const notImplemented = [
  'collections.bin',
  'collections.restore',
  'assets.list',
  'assets.listInCollection',
  'assets.update',
  'assets.remove',
  'assets.favorite',
  'assets.bin',
  'assets.restore',
  'projects.list',
  'projects.create',
  'projects.get',
  'projects.remove',
  'projects.update',
  'projects.move',
  'tasks.list',
  'tasks.listInProject',
  'tasks.create',
  'tasks.get',
  'tasks.remove',
  'tasks.update',
  'tasks.move',
  'tasks.assign',
  'comments.list',
  'comments.create',
  'comments.remove',
  'comments.update',
  'dashboard.summary',
] as const satisfies readonly OperationId[];

export type NotImplemented = (typeof notImplemented)[number];
