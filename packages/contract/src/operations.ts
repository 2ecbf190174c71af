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

/** Operations that the service has beyond its specification. */
export const additions: readonly OperationId[] = operations
  .filter(({ endpoint }) => endpoint.metadata.isAddition)
  .map(({ id }) => id);
