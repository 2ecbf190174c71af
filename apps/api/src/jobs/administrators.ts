import type { Database } from '../db/executor.ts';
import { enqueueJobs } from '../domain/job-queue.ts';
import type { Jobs } from '../ports/jobs.ts';
import { administratorsOf } from './queries.ts';

type Administrator = Awaited<ReturnType<typeof administratorsOf>>[number];

/**
 * Sends a notice to the administrator of an organization that it is for; if it is for all of them, enqueues one for
 * each. An address that is refused repeats only its own mail then.
 */
export async function toAdministrators<Name extends 'send_api_key_notice' | 'send_webhook_notice'>(
  db: Database,
  organizationId: string,
  {
    name,
    notice,
    send,
  }: {
    readonly name: Name;
    readonly notice: Jobs[Name];
    readonly send: (administrator: Administrator) => Promise<void>;
  },
): Promise<void> {
  const administrators = await administratorsOf(db, organizationId);
  if (notice.userId === undefined) {
    // In one statement: if that fails, the job is repeated and none was enqueued.
    await enqueueJobs(
      db,
      name,
      administrators.map(({ id }) => ({ ...notice, userId: id })),
    );
    return;
  }
  const administrator = administrators.find(({ id }) => id === notice.userId);
  if (administrator) await send(administrator);
}
