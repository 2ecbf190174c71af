import { and, asc, desc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/executor.ts';
import { labels, taskLabels } from '../../db/generated/schema.ts';
import { containing } from '../../db/patterns.ts';
import { placeholdersOf, statement, statementByShape } from '../../db/session/statement.ts';

/** A label within its organization. */
export interface LabelKey {
  readonly organizationId: string;
  readonly id: string;
}

const organizationId = sql.placeholder('organizationId');
const isLabel = and(
  eq(labels.organizationId, organizationId),
  eq(labels.id, sql.placeholder('id')),
);

const view = {
  id: labels.id,
  name: labels.name,
  color: labels.color,
  // Qualified by hand: in a select from one table drizzle omits its name.
  taskCount: sql<number>`(
    select count(*)::int from task_labels
    where task_labels.organization_id = ${organizationId} and task_labels.label_id = labels.id
  )`.as('task_count'),
  createdBy: labels.createdBy,
  createdAt: labels.createdAt,
  updatedAt: labels.updatedAt,
};

const labelInOrganization = statement((db) => db.select(view).from(labels).where(isLabel));

export type LabelRow = Awaited<ReturnType<typeof labelInOrganization>>[number];

const orders = {
  name: [asc(labels.nameKey)],
  '-name': [desc(labels.nameKey)],
  createdAt: [asc(labels.createdAt), asc(labels.id)],
  '-createdAt': [desc(labels.createdAt), desc(labels.id)],
  taskCount: [asc(sql`task_count`), asc(labels.nameKey)],
  '-taskCount': [desc(sql`task_count`), asc(labels.nameKey)],
} satisfies Record<string, SQL[]>;

export type LabelSort = keyof typeof orders;

const pattern = sql.placeholder('pattern');
const matching = and(
  eq(labels.organizationId, organizationId),
  sql`(${pattern}::text is null or ${labels.name} ilike ${pattern})`,
);

const pageOfLabels = statementByShape((db, sort: LabelSort) =>
  db
    .select(view)
    .from(labels)
    .where(matching)
    .orderBy(...orders[sort])
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset')),
);

const labelCount = statement((db) =>
  db
    .select({ total: sql<number>`count(*)::int` })
    .from(labels)
    .where(matching),
);

interface LabelFilter {
  readonly organizationId: string;
  readonly nameContains: string | undefined;
}

export async function listLabels(
  db: Executor,
  { organizationId, nameContains }: LabelFilter,
  { sort, ...window }: { sort: LabelSort; limit: number; offset: number },
): Promise<{ rows: LabelRow[]; total: number }> {
  const parameters = {
    organizationId,
    pattern: nameContains === undefined ? null : containing(nameContains),
  };
  const [rows, [counted]] = await Promise.all([
    pageOfLabels(db, sort, { ...parameters, ...window }),
    labelCount(db, parameters),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

export async function countLabels(tx: Transaction, organizationId: string): Promise<number> {
  const [counted] = await labelCount(tx, { organizationId, pattern: null });
  return counted?.total ?? 0;
}

export async function findLabel(
  db: Executor,
  { organizationId, id }: LabelKey,
): Promise<LabelRow | null> {
  const [row] = await labelInOrganization(db, { organizationId, id });
  return row ?? null;
}

const labelLocked = statement((tx) =>
  tx.select({ id: labels.id }).from(labels).where(isLabel).for('no key update'),
);

/**
 * Locks a label against changes until the transaction ends.
 *
 * @returns its locked state
 */
export async function lockLabel(tx: Transaction, key: LabelKey): Promise<LabelRow | null> {
  // A separate statement: the second one sees what was committed while the first waited.
  const [, row] = await Promise.all([labelLocked(tx, { ...key }), findLabel(tx, key)]);
  return row;
}

/** Tells whether a label has this name. The caller locks the organization. */
export async function isNameTaken(
  tx: Transaction,
  { organizationId, id, nameKey }: LabelKey & { readonly nameKey: string },
): Promise<boolean> {
  const others = await tx
    .select({ id: labels.id })
    .from(labels)
    .where(
      and(
        eq(labels.organizationId, organizationId),
        eq(labels.nameKey, nameKey),
        ne(labels.id, id),
      ),
    );
  return others.length > 0;
}

type NewLabel = typeof labels.$inferInsert;

const inserted = statement((tx) =>
  tx
    .insert(labels)
    .values(
      placeholdersOf(labels, [
        'organizationId',
        'id',
        'name',
        'nameKey',
        'color',
        'createdBy',
        'createdAt',
        'updatedAt',
      ]),
    ),
);

export async function insertLabel(tx: Transaction, row: NewLabel): Promise<void> {
  await inserted(tx, { ...row });
}

const updated = statement((tx) =>
  tx
    .update(labels)
    .set(placeholdersOf(labels, ['name', 'nameKey', 'color', 'updatedAt']))
    .where(isLabel),
);

export async function updateLabel(
  tx: Transaction,
  changed: LabelKey & Pick<NewLabel, 'name' | 'nameKey' | 'color' | 'updatedAt'>,
): Promise<void> {
  await updated(tx, { ...changed });
}

const deleted = statement((tx) => tx.delete(labels).where(isLabel));

/** Deletes a label; foreign keys remove it from its tasks. */
export async function deleteLabel(tx: Transaction, key: LabelKey): Promise<void> {
  await deleted(tx, { ...key });
}

interface Labelling {
  readonly organizationId: string;
  readonly taskId: string;
  readonly labelIds: readonly string[];
}

/**
 * Selects the labels with these ids, by name, and keeps them from being deleted until the transaction ends.
 *
 * @returns only those that exist in the organization
 */
export async function keepLabels(
  tx: Transaction,
  { organizationId, labelIds }: Pick<Labelling, 'organizationId' | 'labelIds'>,
): Promise<{ id: string; name: string }[]> {
  if (labelIds.length === 0) return [];
  return tx
    .select({ id: labels.id, name: labels.name })
    .from(labels)
    .where(and(eq(labels.organizationId, organizationId), inArray(labels.id, [...labelIds])))
    .orderBy(asc(labels.nameKey))
    .for('key share');
}

export async function insertTaskLabels(
  tx: Transaction,
  { labelIds, ...task }: Labelling,
): Promise<void> {
  if (labelIds.length === 0) return;
  await tx.insert(taskLabels).values(labelIds.map((labelId) => ({ ...task, labelId })));
}

export async function deleteTaskLabels(
  tx: Transaction,
  { organizationId, taskId, labelIds }: Labelling,
): Promise<void> {
  if (labelIds.length === 0) return;
  await tx
    .delete(taskLabels)
    .where(
      and(
        eq(taskLabels.organizationId, organizationId),
        eq(taskLabels.taskId, taskId),
        inArray(taskLabels.labelId, [...labelIds]),
      ),
    );
}
