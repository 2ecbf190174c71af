import type { OperationId } from '@atelier/contract';

/** One thing that a deployment does otherwise than the contract says. */
export interface Finding {
  /** Stable name of what was checked, such as `answer.schema`. */
  readonly rule: string;
  readonly operation: OperationId | null;
  /** Method, path and what matters of the headers; secrets left out. */
  readonly request: string;
  readonly expected: string;
  readonly actual: string;
}

export type Outcome = 'passed' | 'failed' | 'not-run';

/** How a check went. */
export interface CheckResult {
  /** Such as `authentication.none:tasks.get`. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  /** Why it was not run. */
  readonly reason: string | null;
  readonly durationMs: number;
}

/** A check can't be done on this deployment; that is no fault of it. */
export class NotRun extends Error {}

/** What a check builds on failed; the finding is recorded already. */
export class Abandoned extends Error {}
