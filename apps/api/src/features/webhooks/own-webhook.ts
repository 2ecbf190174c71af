import type { Executor, Transaction } from '../../db/executor.ts';
import { aboutResource } from '../../domain/activity.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertMayTouch } from '../../kernel/permissions.ts';
import { findWebhook, lockWebhook, type WebhookRow } from './queries.ts';

/** A URL may hold a token in its path: activities name its host alone. */
export const aboutWebhook = aboutResource('webhook', ({ url }: { readonly url: string }) =>
  hostOf(url),
);

/** @throws Failure `not_found` (404) */
export async function findOwnWebhook(
  db: Executor,
  id: string,
  ctx: MemberContext,
): Promise<WebhookRow> {
  const row = await findWebhook(db, { organizationId: ctx.organization.id, id });
  if (!row) throw new Failure('not_found');
  return row;
}

/** @throws Failure `not_found` (404) */
export async function lockOwnWebhook(
  tx: Transaction,
  id: string,
  ctx: MemberContext,
): Promise<WebhookRow> {
  const current = await lockWebhook(tx, { organizationId: ctx.organization.id, id });
  if (!current) throw new Failure('not_found');
  assertMayTouch(ctx, 'params.webhookId', current);
  return current;
}

export function isSending({ status }: Pick<WebhookRow, 'status'>): boolean {
  return status === 'ACTIVE' || status === 'FAILING';
}

/** @throws Failure `webhook_disabled` (409) */
export function assertSending(webhook: Pick<WebhookRow, 'status'>): void {
  if (!isSending(webhook)) throw new Failure('webhook_disabled');
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
