import { AsyncLocalStorage } from 'node:async_hooks';

const approvedBy = new AsyncLocalStorage<string>();

/**
 * Runs the requests of an approved call of an assistant: the change among them uses the approval up. No request from outside
 * can claim one.
 */
export function duringApprovedCall<Result>(
  approvalId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // A request within the process begins when it is awaited, which has to happen inside.
  return approvedBy.run(approvalId, async () => await work());
}

/** Returns the approval that a request is made with; null for almost every request. */
export function approvalOfCall(): string | null {
  return approvedBy.getStore() ?? null;
}
