import { contract, operations, type OperationId } from '@atelier/contract';
import { errorCatalogue, type ErrorCode } from '@atelier/contract/errors';
import { activityActions, LiveMessage } from '@atelier/contract/events';
import { permissionMatrix, type Permission } from '@atelier/contract/permissions';
import { Task } from '@atelier/contract/schemas';

export const path: '/api/tasks/:id' = contract.tasks.get.path;
export const ids: OperationId[] = operations.map(({ id }) => id);
export const title: string = Task.parse({}).title;
export const code: ErrorCode = 'last_owner';
export const status: 409 = errorCatalogue.last_owner.status;
export const permission: Permission = 'task:edit';
export const reach: 'any' | 'own' | 'none' = permissionMatrix[permission].MEMBER;
export const action: string = activityActions[0];
export const event: 'ready' | 'activity' | 'notification' | 'reset' | 'closed' = LiveMessage.parse(
  {},
).event;
// A reworded text fits.
contract.labels.create.metadata.success.body satisfies {
  parse(value: unknown): { message: string };
};
// @ts-expect-error there is no such operation
export const none: OperationId = 'tasks.explode';
// @ts-expect-error there is no such code
export const noCode: ErrorCode = 'exploded';
