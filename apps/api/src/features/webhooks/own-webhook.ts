import type { Executor, Transaction } from '../../db/executor.ts';
import { aboutResource } from '../../domain/activity.ts';
import { hostOf, isSending } from '../../domain/webhooks/endpoint.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertMayTouch } from '../../kernel/permissions.ts';
import { findWebhook, lockWebhook, type WebhookRow } from './queries.ts';

export const aboutWebhook = aboutResource('webhook', ({ url }: { readonly url: string }) =>
  hostOf(url),
);

/** @throws Failure `not_found` (404) */
export async function findOwnWebhook(
  db: Executor,
  id: string,
  ctx: MemberContext,
): Promise<WebhookRow> {
  const row = await findWebhook(db, { organizationId: ctx.organization.id, webhookId: id });
  if (!row) throw new Failure('not_found');
  return row;
}

/** @throws Failure `not_found` (404) */
export async function lockOwnWebhook(
  tx: Transaction,
  id: string,
  ctx: MemberContext,
): Promise<WebhookRow> {
  const current = await lockWebhook(tx, { organizationId: ctx.organization.id, webhookId: id });
  if (!current) throw new Failure('not_found');
  assertMayTouch(ctx, 'params.webhookId', current);
  return current;
}

/** @throws Failure `webhook_disabled` (409) */
export function assertSending(webhook: Pick<WebhookRow, 'status'>): void {
  if (!isSending(webhook)) throw new Failure('webhook_disabled');
}
