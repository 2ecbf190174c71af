import {
  maxWebhooks,
  Webhook,
  type CreateWebhookBody,
  type RotateWebhookSecretBody,
  type UpdateWebhookBody,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../domain/activity.ts';
import { followFromNow, holdPosition, stopFollowing } from '../../domain/log-positions/queries.ts';
import { lockOrganization } from '../../domain/plan-limits/queries.ts';
import { mutate } from '../../domain/transaction.ts';
import { hostOf, isSending } from '../../domain/webhooks/endpoint.ts';
import { enqueuePump, enqueueSpread, webhookConsumer } from '../../domain/webhooks/queries.ts';
import { webhookSecrets } from '../../domain/webhooks/secrets.ts';
import { changesBetween } from '../../kernel/changes.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { numberedWindowOf, paginationOf, type PageRequest } from '../../kernel/pagination.ts';
import { aboutWebhook, findOwnWebhook, lockOwnWebhook } from './own-webhook.ts';
import { presentWebhook } from './present.ts';
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  replaceSecret,
  spreadFirst,
  updateWebhook,
  type WebhookRow,
} from './queries.ts';

/** How long a repeated request gets a secret, in seconds. */
const secretShownSeconds = 60 * 60;

/** Manages the endpoints of an organization that receive its events. */
export function webhookUseCases({ db, clock, keys, outbound }: Deps) {
  const secrets = webhookSecrets(keys);

  /** @throws Failure `webhook_address_refused` (400) */
  function assertAddress(url: string): void {
    if (!outbound.mayRequest(url)) throw new Failure('webhook_address_refused');
  }

  return {
    async list(request: Omit<PageRequest, 'cursor'>, ctx: MemberContext) {
      const window = numberedWindowOf(request);
      const { rows, total } = await listWebhooks(db, ctx.organization.id, window);
      return { items: rows.map(presentWebhook), pagination: paginationOf(request, total) };
    },

    /** @throws Failure `webhook_address_refused` (400), `too_many_webhooks` (409) */
    async create(wanted: z.output<typeof CreateWebhookBody>, ctx: MemberContext) {
      const organizationId = ctx.organization.id;
      assertAddress(wanted.url);
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        await lockOrganization(tx, organizationId);
        if ((await countWebhooks(tx, organizationId)) >= maxWebhooks) {
          throw new Failure('too_many_webhooks');
        }
        const id = newId();
        const secret = secrets.newSecret(id);
        const signingKey = secrets.newSigningKey(id);
        await followFromNow(tx, { organizationId, consumer: webhookConsumer }, now);
        await insertWebhook(tx, {
          ...wanted,
          organizationId,
          id,
          status: 'ACTIVE',
          secret: secret.sealed,
          secretHint: secret.hint,
          signingKey: signingKey.sealed,
          publicKey: signingKey.publicKey,
          failureCount: 0,
          lastSequence: 0,
          createdBy: ctx.user.id,
          createdAt: now,
          updatedAt: now,
        });
        const { events, ordering } = wanted;
        await recordActivity(tx, {
          ...aboutWebhook({ id, url: wanted.url }, ctx, now),
          action: 'webhook.create',
          changes: changesBetween({ events: null, ordering: null }, { events, ordering }),
        });
        const row = await findWebhook(tx, { organizationId, webhookId: id });
        if (!row) throw new Error('the webhook that was just inserted is missing');
        return { ...presentWebhook(row), secret: secret.shown, expiresIn: secretShownSeconds };
      });
    },

    async get(id: string, ctx: MemberContext): Promise<Webhook> {
      return presentWebhook(await findOwnWebhook(db, id, ctx));
    },

    /**
     * Changes, pauses or enables an endpoint. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `webhook_address_refused` (400), `precondition_failed` (412)
     */
    async update(
      id: string,
      { isEnabled, ...wanted }: z.output<typeof UpdateWebhookBody>,
      ctx: MemberContext,
    ): Promise<Webhook> {
      const key = { organizationId: ctx.organization.id, webhookId: id };
      if (wanted.url !== undefined) assertAddress(wanted.url);
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockOwnWebhook(tx, id, ctx);
        assertUnchanged(ctx, Webhook, presentWebhook(current));
        const before = changeable(current);
        const wantsToStart = isEnabled === true && !isSending(current);
        const wantsToPause = isEnabled === false && isSending(current);
        const { url = before.url, description = before.description } = wanted;
        const { ordering = before.ordering } = wanted;
        const after = {
          url,
          description,
          events: sameOr(before.events, wanted.events),
          ordering,
          status: wantsToStart ? 'ACTIVE' : wantsToPause ? 'PAUSED' : current.status,
        } as const;
        const changes = changesBetween(hidden(before), hidden(after));
        const isMoved = after.url !== before.url;
        if (changes.length === 0 && !isMoved) return presentWebhook(current);
        const now = clock.now();
        await updateWebhook(tx, key, {
          ...after,
          updatedAt: now,
          ...(wantsToStart && { disabledReason: null, failureCount: 0, failingSince: null }),
        });
        if (wantsToStart) {
          const rest = await spreadFirst(tx, key, now);
          if (rest) await enqueueSpread(tx, { ...key, ...rest, enabledAt: now.toISOString() });
          await enqueuePump(tx, key);
        }
        await recordActivity(tx, {
          ...aboutWebhook({ id, url: after.url }, ctx, now),
          action: wantsToStart
            ? 'webhook.enable'
            : wantsToPause
              ? 'webhook.disable'
              : 'webhook.update',
          changes,
          metadata: { isMoved },
        });
        const updated = await findWebhook(tx, key);
        return presentWebhook(updated ?? current);
      });
    },

    /** @throws Failure `not_found` (404), `precondition_failed` (412) */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      const { id: organizationId } = ctx.organization;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const position = { organizationId, consumer: webhookConsumer };
        await lockOrganization(tx, organizationId);
        await holdPosition(tx, position);
        const current = await lockOwnWebhook(tx, id, ctx);
        assertUnchanged(ctx, Webhook, presentWebhook(current));
        await deleteWebhook(tx, { organizationId, webhookId: id });
        if ((await countWebhooks(tx, organizationId)) === 0) await stopFollowing(tx, position);
        await recordActivity(tx, {
          ...aboutWebhook(current, ctx, clock.now()),
          action: 'webhook.delete',
          metadata: { pendingCount: current.pendingCount },
        });
        return { id };
      });
    },

    /** @throws Failure `not_found` (404) */
    async rotateSecret(
      id: string,
      { overlapHours }: z.output<typeof RotateWebhookSecretBody>,
      ctx: MemberContext,
    ) {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockOwnWebhook(tx, id, ctx);
        const now = clock.now();
        const secret = secrets.newSecret(id);
        const previousSecretExpiresAt = new Date(now.getTime() + overlapHours * 60 * 60 * 1_000);
        await replaceSecret(
          tx,
          { organizationId: ctx.organization.id, webhookId: id },
          {
            secret: secret.sealed,
            secretHint: secret.hint,
            previousSecretExpiresAt,
            updatedAt: now,
          },
        );
        await recordActivity(tx, {
          ...aboutWebhook(current, ctx, now),
          action: 'webhook.rotate_secret',
          metadata: { overlapHours },
        });
        return {
          secret: secret.shown,
          expiresIn: secretShownSeconds,
          previousSecretExpiresAt: previousSecretExpiresAt.toISOString(),
        };
      });
    },
  };
}

function changeable({ url, description, events, ordering, status }: WebhookRow) {
  return { url, description, events, ordering, status };
}

/** Returns the list as it is if the wanted one has the same entries: fields are compared by identity. */
function sameOr<Entry extends string>(list: Entry[], wanted: Entry[] = list): Entry[] {
  const isSame = list.length === wanted.length && list.every((entry, at) => entry === wanted[at]);
  return isSame ? list : wanted;
}

/** Without the address: its path may be a secret of the receiver. */
function hidden({ url, ...shown }: ReturnType<typeof changeable>) {
  return { ...shown, host: hostOf(url) };
}
