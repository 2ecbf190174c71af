import { createHash } from 'node:crypto';
import { approvalLifetimeSeconds } from '@atelier/contract';
import { approvals } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestApi } from './api.ts';

interface StoredCall {
  readonly organizationId: string;
  /** The account of the key. */
  readonly createdBy: string;
  /** A task that the call deletes. */
  readonly taskId: string;
  /** Names of the key and the task. Default: some. */
  readonly name?: string;
  /** Who has approved it. Default: it waits. */
  readonly decidedBy?: string;
}

/** Stores a call of an assistant. @returns its id */
export async function storeApproval(
  { db, clock }: Pick<TestApi, 'db' | 'clock'>,
  { organizationId, createdBy, taskId, name = 'Some task', decidedBy }: StoredCall,
): Promise<string> {
  const id = newId();
  const now = clock.now();
  await db.insert(approvals).values({
    organizationId,
    id,
    apiKeyId: newId(),
    apiKeyName: name,
    apiKeyKind: 'PERSONAL',
    createdBy,
    tool: 'tasks_remove',
    arguments: { id: taskId },
    callHash: createHash('sha256').update(id).digest(),
    records: [{ argument: 'id', resourceType: 'task', id: taskId, name }],
    ...(decidedBy === undefined
      ? { status: 'WAITING' }
      : { status: 'APPROVED', decidedBy, decidedAt: now }),
    createdAt: now,
    expiresAt: new Date(now.getTime() + approvalLifetimeSeconds * 1000),
  });
  return id;
}
