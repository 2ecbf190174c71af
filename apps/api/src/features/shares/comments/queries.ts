import { and, count, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { totalIn } from '../../../db/count.ts';
import type { Executor } from '../../../db/executor.ts';
import { assetComments, users } from '../../../db/generated/schema.ts';
import { afterPosition, orderOf } from '../../../db/keyset.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';

/** An asset as one share shows it. */
export interface SharedAssetKey {
  readonly organizationId: string;
  readonly shareId: string;
  readonly assetId: string;
}

const parent = alias(assetComments, 'parent');

const columns = {
  id: assetComments.id,
  versionNumber: assetComments.versionNumber,
  parentId: assetComments.parentId,
  guestName: assetComments.guestName,
  body: assetComments.body,
  anchor: assetComments.anchor,
  createdAt: assetComments.createdAt,
  editedAt: assetComments.editedAt,
  resolvedAt: sql<Date | null>`coalesce(${parent.resolvedAt}, ${assetComments.resolvedAt})`,
  author: { email: users.email, firstName: users.firstName, lastName: users.lastName },
};

/** What visitors of the share wrote, and the replies to that. */
const writtenIn = ({ organizationId, shareId, assetId }: SharedAssetKey) =>
  and(
    eq(assetComments.organizationId, organizationId),
    eq(assetComments.assetId, assetId),
    sql`case when ${assetComments.parentId} is null then ${assetComments.shareId} else ${parent.shareId} end = ${shareId}`,
  );

const isParent = (organizationId: string) =>
  and(eq(parent.organizationId, organizationId), eq(parent.id, assetComments.parentId));

function selectComments(db: Executor, { organizationId }: SharedAssetKey) {
  return db
    .select(columns)
    .from(assetComments)
    .leftJoin(parent, isParent(organizationId))
    .leftJoin(users, eq(users.id, assetComments.authorId));
}

export async function listSharedComments(db: Executor, key: SharedAssetKey, window: RowWindow) {
  const keyset = {
    column: assetComments.createdAt,
    id: assetComments.id,
    direction: 'ascending',
  } as const;
  const [rows, total] = await Promise.all([
    selectComments(db, key)
      .where(and(writtenIn(key), afterPosition(keyset, window)))
      .orderBy(...orderOf(keyset))
      .limit(window.limit)
      .offset(window.offset),
    totalIn(window, async () => {
      const [counted] = await db
        .select({ count: count() })
        .from(assetComments)
        .leftJoin(parent, isParent(key.organizationId))
        .where(writtenIn(key));
      return counted?.count ?? 0;
    }),
  ]);
  return { rows, ...total };
}

export async function findSharedComment(db: Executor, key: SharedAssetKey & { id: string }) {
  const [row] = await selectComments(db, key).where(
    and(writtenIn(key), eq(assetComments.id, key.id)),
  );
  return row ?? null;
}

export type SharedCommentRow = NonNullable<Awaited<ReturnType<typeof findSharedComment>>>;
