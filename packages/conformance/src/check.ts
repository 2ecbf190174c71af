import type { OperationId } from '@atelier/contract';
import { operationOf } from './deployment.ts';
import type { Probe } from './probe.ts';
import type { Randomness } from './randomness.ts';
import type { World } from './world.ts';

/** What a check works with. */
export interface Scene {
  readonly probe: Probe;
  readonly world: World;
  readonly random: Randomness;
  /** The sign-in provider that lets people in without a page; null for none. */
  readonly signIn: 'google' | 'github' | null;
}

/** Something that can be right or wrong about a deployment. */
export interface Check {
  /** Such as `authentication.none:tasks.get`; stable. */
  readonly id: string;
  /** Group of the contract. */
  readonly group: string;
  /** What must be so. */
  readonly title: string;
  /** Changes nothing, so that it is part of the read-only profile. */
  readonly isReading?: boolean;
  readonly run: (scene: Scene) => Promise<void>;
}

/** A check of one operation; its id is made of both. It reads when the operation does. */
export function operationCheck(
  rule: string,
  operation: OperationId,
  rest: Pick<Check, 'title' | 'run'>,
): Check {
  return {
    id: `${rule}:${operation}`,
    group: groupOf(operation),
    isReading: isReading(operation),
    ...rest,
  };
}

/** Whether calling it leaves everything as it is. */
export function isReading(operation: OperationId): boolean {
  return operationOf(operation).endpoint.method === 'GET';
}

export function groupOf(operation: OperationId): string {
  return operation.split('.', 1)[0] ?? '';
}
