import type { OperationId } from '@atelier/contract';

/** One deviation of a deployment from the contract. */
export interface Finding {
  /** Stable name of the rule, such as `response.schema`. */
  readonly rule: string;
  readonly operation: OperationId | null;
  /** Method, path, relevant headers and body, without secrets. */
  readonly request: string;
  readonly expected: string;
  readonly actual: string;
}

export type Outcome = 'passed' | 'failed' | 'not-run';

/** The result of a check. */
export interface CheckResult {
  /** Such as `authentication.none:tasks.get`. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  /** Why it was not run; null if it was. */
  readonly reason: string | null;
  readonly durationMs: number;
}

/** A check can't run on this deployment, which is not a finding. */
export class NotRun extends Error {}

/** Why a check is not run whose operation may be missing. */
export const missingReason = 'the operation responds with 501';

/** Ends a check whose precondition failed. If it has no finding yet, the message becomes one. */
export class Abandoned extends Error {}
