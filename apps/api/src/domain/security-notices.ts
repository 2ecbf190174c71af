import type { Executor } from '../db/executor.ts';
import type { PublicContext } from '../kernel/context.ts';
import { newId } from '../kernel/ids.ts';
import { deviceNameOf } from '../kernel/device-name.ts';
import type { Jobs, RequestOrigin } from '../ports/jobs.ts';
import { enqueueJob } from './job-queue.ts';

type Client = Pick<PublicContext, 'userAgent' | 'ipAddress'>;

/** What a mail says of the request that caused it. */
export function originOf({ userAgent, ipAddress }: Client): RequestOrigin {
  return { device: deviceNameOf(userAgent), ipAddress };
}

/**
 * Enqueues a mail and an entry in the inbox of a person about a change of what protects the account, with the device and address that it came
 * from. Call it in the transaction of the change.
 *
 * @param ctx - null if an operator made it
 */
export async function enqueueSecurityNotice(
  tx: Executor,
  notice: Omit<Jobs['send_security_notice'], 'origin' | 'notificationId'>,
  ctx: Client | null,
): Promise<void> {
  await enqueueJob(tx, 'send_security_notice', {
    ...notice,
    origin: ctx && originOf(ctx),
    notificationId: newId(),
  });
}
