import { operationById, type OperationId } from '@atelier/contract';
import type { Probe } from './probe.ts';
import type { Randomness } from './randomness.ts';
import type { Fixtures } from './fixtures.ts';

/** What a check receives. */
export interface CheckContext {
  readonly probe: Probe;
  readonly fixtures: Fixtures;
  readonly random: Randomness;
  /** The sign-in provider that skips its pages; null if there is none. */
  readonly signIn: 'google' | 'github' | null;
}

/** One property of a deployment that can be checked. */
export interface Check {
  /** Such as `authentication.none:tasks.get`; stable. */
  readonly id: string;
  /** Group of the contract. */
  readonly group: string;
  /** Other groups that have statuses which only this check shows: selecting them selects it, too. */
  readonly alsoShows?: readonly string[];
  /** The expected behaviour. */
  readonly title: string;
  /** Whether it changes nothing and so belongs to the read-only profile. */
  readonly isReading?: boolean;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Creates a check of one operation: its id joins rule and operation, and it only reads if the operation does. */
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

/** Whether the operation changes nothing. */
export function isReading(operation: OperationId): boolean {
  return operationById(operation).endpoint.method === 'GET';
}

export function groupOf(operation: OperationId): string {
  return operation.split('.', 1)[0] ?? '';
}
