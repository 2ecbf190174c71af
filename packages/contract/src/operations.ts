import { contract, type Contract } from './contract.ts';
import type { Endpoint } from './endpoint.ts';

type IdsOf<Router> = {
  [Group in keyof Router & string]: `${Group}.${keyof Router[Group] & string}`;
}[keyof Router & string];

/** Name of an operation as `group.verb`, such as `auth.login`. */
export type OperationId = IdsOf<Contract>;

/** The declaration of an operation. */
export type EndpointOf<Id extends OperationId> = Id extends `${infer Group}.${infer Name}`
  ? Group extends keyof Contract
    ? Name extends keyof Contract[Group]
      ? Contract[Group][Name]
      : never
    : never
  : never;

export interface Operation {
  readonly id: OperationId;
  readonly endpoint: Endpoint;
}

/** Every operation, in the order of the contract. */
export const operations: readonly Operation[] = Object.entries(contract).flatMap(
  ([group, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      // Object.entries widens the keys that OperationId is made of.
      id: `${group}.${name}` as OperationId,
      endpoint: endpoint as Endpoint,
    })),
);

const operationsById: ReadonlyMap<string, Operation> = new Map(
  operations.map((operation) => [operation.id, operation]),
);

/** @throws Error when the contract has no such operation */
export function operationById(id: string): Operation {
  const operation = operationsById.get(id);
  if (!operation) throw new Error(`the contract has no operation ${id}`);
  return operation;
}

/** Operations that the service has beyond its specification. */
export const additions: readonly OperationId[] = operations
  .filter(({ endpoint }) => endpoint.metadata.isAddition)
  .map(({ id }) => id);
