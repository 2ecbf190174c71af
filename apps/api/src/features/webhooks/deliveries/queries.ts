import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { totalOfRows } from '../../../db/count.ts';
import type { Database, Executor, Transaction } from '../../../db/executor.ts';
import {
  activities,
  users,
  webhookAttempts,
  webhookDeliveries,
} from '../../../db/generated/schema.ts';
import { afterPosition, orderOf } from '../../../db/keyset.ts';
import { displayedColumns } from '../../../domain/activity-view/queries/lists.ts';
import type { WebhookKey } from '../../../domain/webhooks/endpoint.ts';
import type { RowWindow } from '../../../kernel/pagination.ts';

const deliveryView = {
  id: webhookDeliveries.id,
  eventId: webhookDeliveries.eventId,
  eventType: webhookDeliveries.eventType,
  sequence: webhookDeliveries.sequence,
  status: webhookDeliveries.status,
  attemptCount: webhookDeliveries.attemptCount,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  lastStatus: webhookDeliveries.lastStatus,
  lastError: webhookDeliveries.lastError,
  isReplay: webhookDeliveries.isReplay,
  createdAt: webhookDeliveries.createdAt,
  deliveredAt: webhookDeliveries.deliveredAt,
};

export interface DeliveryFilter {
  readonly status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined;
  readonly event?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export async function listDeliveries(
  db: Database,
  { organizationId, webhookId }: WebhookKey,
  { filter, window }: { filter: DeliveryFilter; window: RowWindow },
) {
  const { status, event, from, to } = filter;
  const matching = and(
    eq(webhookDeliveries.organizationId, organizationId),
    eq(webhookDeliveries.webhookId, webhookId),
    status && eq(webhookDeliveries.status, status),
    event === undefined ? undefined : eq(webhookDeliveries.eventType, event),
    from === undefined ? undefined : gte(webhookDeliveries.createdAt, new Date(from)),
    to === undefined ? undefined : lt(webhookDeliveries.createdAt, new Date(to)),
  );
  const keyset = {
    column: webhookDeliveries.createdAt,
    id: webhookDeliveries.id,
    direction: 'descending' as const,
  };
  const [rows, total] = await Promise.all([
    db
      .select(deliveryView)
      .from(webhookDeliveries)
      .where(and(matching, afterPosition(keyset, window)))
      .orderBy(...orderOf(keyset))
      .limit(window.limit)
      .offset(window.offset),
    totalOfRows(db, window, { table: webhookDeliveries, matching }),
  ]);
  return { rows, ...total };
}

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>['rows'][number];

interface DeliveryKey extends WebhookKey {
  readonly id: string;
}

/** A delivery with its message and attempts. */
export async function findDelivery(db: Executor, { organizationId, webhookId, id }: DeliveryKey) {
  const [[row], attempts] = await Promise.all([
    db
      .select({ ...deliveryView, body: webhookDeliveries.body })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.organizationId, organizationId),
          eq(webhookDeliveries.webhookId, webhookId),
          eq(webhookDeliveries.id, id),
        ),
      ),
    db
      .select({
        number: webhookAttempts.number,
        startedAt: webhookAttempts.startedAt,
        durationMs: webhookAttempts.durationMs,
        status: webhookAttempts.status,
        error: webhookAttempts.error,
        responseExcerpt: webhookAttempts.responseExcerpt,
      })
      .from(webhookAttempts)
      .where(
        and(eq(webhookAttempts.organizationId, organizationId), eq(webhookAttempts.deliveryId, id)),
      )
      .orderBy(asc(webhookAttempts.number)),
  ]);
  return row ? { ...row, attempts } : null;
}

export interface ReplayFilter extends WebhookKey {
  readonly actions: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly onlyFailed: boolean;
}

const isReplayed = ({ organizationId, webhookId, actions, from, to, onlyFailed }: ReplayFilter) =>
  and(
    eq(activities.organizationId, organizationId),
    sql`${activities.action} in ${[...actions]}`,
    gte(activities.createdAt, new Date(from)),
    lt(activities.createdAt, new Date(to)),
    onlyFailed
      ? sql`exists (select from webhook_deliveries
          where webhook_deliveries.organization_id = ${organizationId}
            and webhook_deliveries.webhook_id = ${webhookId}
            and webhook_deliveries.event_id = activities.id and webhook_deliveries.status = 'FAILED')`
      : undefined,
  );

export async function countReplayed(tx: Transaction, filter: ReplayFilter): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(activities)
    .where(isReplayed(filter));
  return row?.count ?? 0;
}

/** Rows that one statement selects. */
const rowsPerPiece = 500;

/** Selects a piece in the order in which they were recorded. @param last - of the piece before */
export async function listReplayed(
  tx: Transaction,
  filter: ReplayFilter,
  last: { readonly transactionId: string; readonly id: string } | null,
) {
  const rest =
    last === null
      ? undefined
      : sql`(${activities.transactionId}, ${activities.id}) > (${last.transactionId}::xid8, ${last.id}::uuid)`;
  return tx
    .select({
      ...displayedColumns(activities),
      transactionId: sql<string>`${activities.transactionId}::text`,
    })
    .from(activities)
    .leftJoin(users, eq(users.id, activities.actorId))
    .where(and(isReplayed(filter), rest))
    .orderBy(asc(activities.transactionId), asc(activities.id))
    .limit(rowsPerPiece);
}
