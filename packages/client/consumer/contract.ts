import { Asset, contract, operations, type OperationId } from '@atelier/contract';

export const path: '/api/tasks/:id' = contract.tasks.get.path;
export const ids: OperationId[] = operations.map(({ id }) => id);
export const name: string = Asset.parse({}).assetName;
// @ts-expect-error there is no such operation
export const none: OperationId = 'tasks.explode';
