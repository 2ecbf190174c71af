import type { Executor } from '../db/executor.ts';
import type { PublicContext } from '../kernel/context.ts';
import { newId } from '../kernel/ids.ts';
import { deviceNameOf } from '../kernel/device-name.ts';
import type { Jobs, RequestOrigin } from '../ports/jobs.ts';
import { enqueueJob, enqueueJobOf } from './job-queue.ts';

type Notice = Omit<Jobs['send_security_notice'], 'origin' | 'notificationId'>;
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
  notice: Notice,
  ctx: Client | null,
): Promise<void> {
  await enqueueJob(tx, 'send_security_notice', payloadOf(notice, ctx));
}

/** The same about a change of what protects an organization, in a transaction that changes its rows. */
export async function enqueueSecurityNoticeOf(
  tx: Executor,
  organizationId: string,
  { notice, ctx }: { readonly notice: Notice; readonly ctx: Client },
): Promise<void> {
  const payload = payloadOf(notice, ctx);
  await enqueueJobOf(tx, organizationId, { name: 'send_security_notice', payload });
}

function payloadOf(notice: Notice, ctx: Client | null): Jobs['send_security_notice'] {
  return { ...notice, origin: ctx && originOf(ctx), notificationId: newId() };
}
