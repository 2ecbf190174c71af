import { and, eq, isNull, or, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Executor, Transaction } from '../../db/executor.ts';
import { assetComments, assets, assetVersions, users } from '../../db/generated/schema.ts';
import { after, orderOf } from '../../db/keyset.ts';
import { statement, statementByShape } from '../../db/session/statement.ts';
import type { AssetKey, CommentKey } from '../../domain/asset-comments/queries.ts';
import type { RowWindow } from '../../kernel/pagination.ts';

const parent = alias(assetComments, 'parent');
const author = alias(users, 'author');
const resolver = alias(users, 'resolver');

const view = {
  id: assetComments.id,
  assetId: assetComments.assetId,
  versionNumber: assetComments.versionNumber,
  parentId: assetComments.parentId,
  guestName: assetComments.guestName,
  body: assetComments.body,
  anchor: assetComments.anchor,
  createdAt: assetComments.createdAt,
  editedAt: assetComments.editedAt,
  resolvedAt: assetComments.resolvedAt,
  parentResolvedAt: parent.resolvedAt,
  author: {
    id: author.id,
    email: author.email,
    firstName: author.firstName,
    lastName: author.lastName,
    avatarKey: author.avatarKey,
  },
  resolver: {
    id: resolver.id,
    email: resolver.email,
    firstName: resolver.firstName,
    lastName: resolver.lastName,
    avatarKey: resolver.avatarKey,
  },
};

const isParent = eq(parent.id, assetComments.parentId);

/** Selects comments of an organization with the people in them. */
const viewedIn = (db: Executor, organizationId: string | Placeholder) =>
  db
    .select(view)
    .from(assetComments)
    .leftJoin(parent, and(eq(parent.organizationId, organizationId), isParent))
    .leftJoin(author, eq(author.id, assetComments.authorId))
    .leftJoin(
      resolver,
      eq(resolver.id, sql`coalesce(${parent.resolvedBy}, ${assetComments.resolvedBy})`),
    )
    .$dynamic();

const value = sql.placeholder;
const organization = value('organizationId');

interface Filter {
  readonly versionNumber?: number | undefined;
  readonly isResolved?: boolean | undefined;
}

interface FilterShape {
  readonly hasVersion: boolean;
  readonly isResolved: boolean | null;
}

interface ListShape extends FilterShape {
  readonly isContinued: boolean;
}

const matching = ({ hasVersion, isResolved }: FilterShape) =>
  and(
    eq(assetComments.organizationId, value('organizationId')),
    eq(assetComments.assetId, value('assetId')),
    hasVersion ? eq(assetComments.versionNumber, value('versionNumber')) : undefined,
    isResolved === null
      ? undefined
      : sql`coalesce(${parent.resolvedAt}, ${assetComments.resolvedAt}) is ${isResolved ? sql`not null` : sql`null`}`,
  );

const oldestFirst = {
  column: assetComments.createdAt,
  id: assetComments.id,
  direction: 'ascending',
} as const;

const commentsOfAsset = statementByShape((db, { isContinued, ...filter }: ListShape) => {
  const createdAt = sql.param(value('createdAt'), assetComments.createdAt);
  const rest = isContinued ? after(oldestFirst, createdAt, value('afterId')) : undefined;
  return viewedIn(db, organization)
    .where(and(matching(filter), rest))
    .orderBy(...orderOf(oldestFirst))
    .limit(value('limit'))
    .offset(value('offset'));
});

const livingAsset = and(
  eq(assets.organizationId, value('organizationId')),
  eq(assets.id, value('assetId')),
  isNull(assets.deletedAt),
);

// Selected from the asset, so that a missing asset gives no row and one without comments a zero.
const countOfAsset = statementByShape((db, filter: FilterShape) => {
  const counted = db
    .select({ total: sql`count(*)::int` })
    .from(assetComments)
    .leftJoin(parent, and(eq(parent.organizationId, organization), isParent))
    .where(matching(filter));
  return db
    .select({ total: sql<number>`(${counted})` })
    .from(assets)
    .where(livingAsset);
});

/** @returns null without such an asset */
export async function listComments(
  db: Database,
  asset: AssetKey,
  { filter, window }: { filter: Filter; window: RowWindow },
) {
  const { limit, offset, after: position } = window;
  const { versionNumber, isResolved = null } = filter;
  const shape = { hasVersion: versionNumber !== undefined, isResolved };
  const values = { ...asset, ...(versionNumber !== undefined && { versionNumber }) };
  const [rows, [counted]] = await Promise.all([
    commentsOfAsset(
      db,
      { ...shape, isContinued: position !== null },
      {
        ...values,
        limit,
        offset,
        ...(position && { createdAt: new Date(position.sortValue), afterId: position.id }),
      },
    ),
    countOfAsset(db, shape, values),
  ]);
  return counted ? { rows, total: counted.total } : null;
}

const versionOfAsset = statement((db) =>
  db
    .select({ versionNumber: assetVersions.versionNumber })
    .from(assets)
    .innerJoin(
      assetVersions,
      and(
        eq(assetVersions.organizationId, value('organizationId')),
        eq(assetVersions.assetId, assets.id),
        eq(
          assetVersions.versionNumber,
          sql`coalesce(${value('versionNumber')}::int, ${assets.currentVersion})`,
        ),
      ),
    )
    .where(livingAsset),
);

/** @param version - its number; null for the current one @returns its number; null without it */
export async function findVersion(
  db: Executor,
  version: AssetKey & { versionNumber: number | null },
): Promise<number | null> {
  const [row] = await versionOfAsset(db, { ...version });
  return row?.versionNumber ?? null;
}

const startMs = sql`(${assetComments.anchor} ->> 'startMs')::bigint`;

const timesOfVersion = statement((db) =>
  viewedIn(db, organization)
    .where(
      and(
        matching({ hasVersion: true, isResolved: null }),
        sql`${assetComments.anchor} ->> 'kind' = 'time'`,
      ),
    )
    .orderBy(startMs, assetComments.id)
    .limit(value('limit')),
);

/** Lists comments on times of a version, the earliest time first. */
export async function listTimes(
  db: Database,
  version: AssetKey & { versionNumber: number; limit: number },
) {
  return timesOfVersion(db, { ...version });
}

/** Finds a comment of an asset that the transaction has locked. */
export async function findComment(tx: Transaction, key: CommentKey) {
  const [row] = await viewedIn(tx, key.organizationId).where(isComment(key));
  return row ?? null;
}

export type CommentRow = NonNullable<Awaited<ReturnType<typeof findComment>>>;

export async function changeBody(
  tx: Transaction,
  key: CommentKey,
  change: { body: string; editedAt: Date },
): Promise<void> {
  await tx.update(assetComments).set(change).where(isComment(key));
}

/** @param resolution - with null it is open again */
export async function setResolved(
  tx: Transaction,
  key: CommentKey,
  resolution: { resolvedAt: Date; resolvedBy: string } | null,
): Promise<void> {
  await tx
    .update(assetComments)
    .set(resolution ?? { resolvedAt: null, resolvedBy: null })
    .where(isComment(key));
}

/** Deletes a comment with its replies. @returns how many */
export async function deleteThread(tx: Transaction, key: CommentKey): Promise<number> {
  const { organizationId, assetId, id } = key;
  const rows = await tx
    .delete(assetComments)
    .where(
      and(
        eq(assetComments.organizationId, organizationId),
        eq(assetComments.assetId, assetId),
        or(eq(assetComments.id, id), eq(assetComments.parentId, id)),
      ),
    )
    .returning({ id: assetComments.id });
  return rows.length;
}

function isComment({ organizationId, assetId, id }: CommentKey): SQL | undefined {
  return and(
    eq(assetComments.organizationId, organizationId),
    eq(assetComments.assetId, assetId),
    eq(assetComments.id, id),
  );
}
