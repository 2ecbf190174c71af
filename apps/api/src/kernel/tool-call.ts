import { AsyncLocalStorage } from 'node:async_hooks';

/** The call of an assistant that requests within this process belong to. No request from outside can claim one. */
interface ToolCall {
  /** The approval that the change of the call uses up. */
  readonly approvalId: string;
}

const calls = new AsyncLocalStorage<ToolCall>();

/** Runs the requests of an approved call. */
export function duringToolCall<Result>(
  call: ToolCall,
  work: () => Promise<Result>,
): Promise<Result> {
  // A request within the process begins when it is awaited, which has to happen inside.
  return calls.run(call, async () => await work());
}

/** Returns the approval that a request is made with; null for almost every request. */
export function approvalOfCall(): string | null {
  return calls.getStore()?.approvalId ?? null;
}
