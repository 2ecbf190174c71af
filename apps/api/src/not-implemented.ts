import type { OperationId } from '@atelier/contract';

/**
 * Operations that the contract declares and whose room isn't built yet. They go the whole way of a
 * request and then answer 501. The list only shrinks.
 */
export const notImplemented = [
  'timeline.mine',
  'timeline.list',
  'timeline.resource',
  'timeline.summary',
  'collections.bin',
  'collections.restore',
  'uploads.parts',
  'assets.list',
  'assets.myLogs',
  'assets.listInCollection',
  'assets.update',
  'assets.remove',
  'assets.favorite',
  'assets.publish',
  'assets.logs',
  'assets.bin',
  'assets.restore',
  'assets.versions',
  'assets.restoreVersion',
  'plans.list',
  'organizations.list',
  'organizations.create',
  'organizations.getInvitation',
  'organizations.acceptInvitation',
  'organizations.get',
  'organizations.rename',
  'organizations.remove',
  'organizations.listInvitations',
  'organizations.revokeInvitation',
  'organizations.listMembers',
  'organizations.invite',
  'organizations.removeMember',
  'organizations.updateMember',
  'tasks.list',
  'tasks.listInProject',
  'tasks.create',
  'tasks.get',
  'tasks.remove',
  'tasks.update',
  'tasks.move',
  'tasks.assign',
  'dashboard.summary',
] as const satisfies readonly OperationId[];

export type NotImplemented = (typeof notImplemented)[number];
