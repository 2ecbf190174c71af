import type { Transaction } from '../../db/executor.ts';
import { keepOrganizationRow } from '../../domain/authority/queries.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { deliver } from './deliver.ts';
import { serviceEvent } from './policy.ts';
import { findRecipients } from './queries/entries.ts';
import { findSharer } from './queries/personal.ts';

/** Tells who made a share what happens to it, if they are still a member. */
export async function tellSharer(
  tx: Transaction,
  { organizationId, shareId, reason }: Jobs['notice_share'],
  now: Date,
): Promise<void> {
  // A deletion of the organization would miss an entry that is not yet committed.
  await keepOrganizationRow(tx, organizationId);
  const userId = await findSharer(tx, { organizationId, shareId });
  if (userId === null) return;
  const { members } = await findRecipients(tx, organizationId, [userId]);
  if (!members.has(userId)) return;
  const event = serviceEvent(now);
  const concern = { userId, reason, taskId: null, subjectId: shareId, commentId: null, event };
  await deliver(tx, organizationId, { concerns: [concern], now });
}
