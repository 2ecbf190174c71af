import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/executor.ts';
import { assets, taskAssets, tasks } from '../../db/generated/schema.ts';
import { afterPosition, orderOf, type Keyset } from '../../db/keyset.ts';
import { placeholdersOf, statement } from '../../db/session/statement.ts';
import { assetColumns, assetJoins } from '../../domain/asset-view/queries.ts';
import type { RowWindow } from '../../kernel/pagination.ts';

/** A task within its organization. */
interface TaskKey {
  readonly organizationId: string;
  readonly taskId: string;
}

/** An asset on a task. */
export interface AttachmentKey extends TaskKey {
  readonly assetId: string;
}

const value = sql.placeholder;
const isOnTask = and(
  eq(taskAssets.organizationId, value('organizationId')),
  eq(taskAssets.taskId, value('taskId')),
);
const isAttachment = and(isOnTask, eq(taskAssets.assetId, value('assetId')));

// Selected from the task, so that a missing task gives no row and one without assets a zero.
const countOnTask = statement((db) => {
  const counted = db
    .select({ total: sql`count(*)::int` })
    .from(taskAssets)
    .innerJoin(
      assets,
      and(eq(assets.organizationId, value('organizationId')), eq(assets.id, taskAssets.assetId)),
    )
    .where(and(isOnTask, isNull(assets.deletedAt)));
  return db
    .select({ total: sql<number>`(${counted})` })
    .from(tasks)
    .where(and(eq(tasks.organizationId, value('organizationId')), eq(tasks.id, value('taskId'))));
});

/** @returns null without such a task */
export async function listAssetsOfTask(
  db: Database,
  { organizationId, taskId, viewerId }: TaskKey & { readonly viewerId: string },
  { direction, window }: { direction: Keyset['direction']; window: RowWindow },
) {
  const byTime: Keyset = { column: taskAssets.attachedAt, id: taskAssets.assetId, direction };
  const { version, content } = assetJoins({ organizationId });
  const [rows, [counted]] = await Promise.all([
    db
      .select({
        ...assetColumns({ organizationId, viewerId }),
        attachedBy: taskAssets.attachedBy,
        attachedAt: taskAssets.attachedAt,
      })
      .from(taskAssets)
      .innerJoin(
        assets,
        and(eq(assets.organizationId, organizationId), eq(assets.id, taskAssets.assetId)),
      )
      .innerJoin(version.table, version.on)
      .innerJoin(content.table, content.on)
      .where(
        and(
          eq(taskAssets.organizationId, organizationId),
          eq(taskAssets.taskId, taskId),
          isNull(assets.deletedAt),
          afterPosition(byTime, window),
        ),
      )
      .orderBy(...orderOf(byTime))
      .limit(window.limit)
      .offset(window.offset),
    countOnTask(db, { organizationId, taskId }),
  ]);
  return counted ? { rows, total: counted.total } : null;
}

const assetKept = statement((tx) =>
  tx
    .select({ name: assets.name })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, value('organizationId')),
        eq(assets.id, value('assetId')),
        isNull(assets.deletedAt),
      ),
    )
    .for('share'),
);

/**
 * Keeps an asset from changing, and out of the bin, until the transaction ends.
 *
 * @returns null without such an asset
 */
export async function keepAsset(
  tx: Transaction,
  { organizationId, assetId }: Omit<AttachmentKey, 'taskId'>,
): Promise<{ name: string } | null> {
  const [row] = await assetKept(tx, { organizationId, assetId });
  return row ?? null;
}

const attachedIds = statement((tx) =>
  tx
    .select({ assetId: taskAssets.assetId })
    .from(taskAssets)
    .where(isOnTask)
    .orderBy(asc(taskAssets.assetId)),
);

/** The ids of all assets of a locked task, those in the bin included. */
export async function findAttachedIds(
  tx: Transaction,
  { organizationId, taskId }: TaskKey,
): Promise<string[]> {
  const rows = await attachedIds(tx, { organizationId, taskId });
  return rows.map(({ assetId }) => assetId);
}

const inserted = statement((tx) =>
  tx
    .insert(taskAssets)
    .values(
      placeholdersOf(taskAssets, [
        'organizationId',
        'taskId',
        'assetId',
        'attachedBy',
        'attachedAt',
      ]),
    ),
);

export async function insertAttachment(
  tx: Transaction,
  row: Required<typeof taskAssets.$inferInsert>,
): Promise<void> {
  await inserted(tx, { ...row });
}

const deleted = statement((tx) =>
  tx.delete(taskAssets).where(isAttachment).returning({ assetId: taskAssets.assetId }),
);

/** @returns whether it was attached */
export async function deleteAttachment(tx: Transaction, key: AttachmentKey): Promise<boolean> {
  const { organizationId, taskId, assetId } = key;
  return (await deleted(tx, { organizationId, taskId, assetId })).length > 0;
}
