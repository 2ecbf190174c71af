import { onlineManager } from '@tanstack/react-query';
import { queryClient } from '../session/query-client.ts';
import type { ChangeKind } from './change.ts';
import { changeKey, isDropped, planned, type PendingChange } from './pending.ts';
import { signOutQuestion } from './request-sign-out.ts';
import { currentSession } from './session-mark.ts';

interface Plan<Input> {
  readonly input: Input;
  readonly organizationId: string | null;
}

/**
 * Shows a change at once, for `sendPlan` to send it: until then, `takeBack` undoes it without a request. It survives
 * a reload, as pending changes do.
 */
export function planChange<Input, Data>(
  change: ChangeKind<Input, Data>,
  { input, organizationId }: Plan<Input>,
): PendingChange {
  const idempotencyKey = crypto.randomUUID();
  const session = currentSession();
  const variables = { input, organizationId, idempotencyKey, session };
  const plan = { name: change.name, variables, isWaiting: false };
  planned.set([...planned.get(), plan]);
  change.show(queryClient, input);
  // Without a network it can be taken back from the list of what waits.
  if (!onlineManager.isOnline()) sendPlan(plan);
  return plan;
}

/** Sends what is planned now: the page or the session may go. */
function sendPlanned(): void {
  for (const plan of planned.get()) sendPlan(plan);
}

/** Sends a planned change, unless it has been sent or taken back. */
export function sendPlan(plan: PendingChange): void {
  if (!planned.get().includes(plan)) return;
  const { name, variables } = plan;
  if (!isDropped(variables)) {
    const options = queryClient.defaultMutationOptions({ mutationKey: changeKey(name) });
    const mutation = queryClient.getMutationCache().build(queryClient, options);
    // The declaration reports a failure.
    void mutation.execute(variables).catch(() => {});
  }
  planned.set(planned.get().filter((one) => one !== plan));
}

addEventListener('pagehide', sendPlanned);
// The question counts what has no response yet.
signOutQuestion.subscribe(sendPlanned);
