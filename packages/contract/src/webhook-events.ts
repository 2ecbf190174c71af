import { z } from 'zod/v4';
import { permissionMatrix } from './access.ts';
import { actionCatalogue, activityActions } from './activity.ts';
import type { groupCatalogue } from './groups.ts';
import { Id, Timestamp } from './primitives.ts';
import { Activity } from './timeline.ts';

/** Activities that every administrator of the organization may read: the only ones that leave it. */
const sentActions = activityActions.filter((action) => {
  const { audience } = actionCatalogue[action];
  if (audience === 'actor' || audience === 'account') return false;
  return permissionMatrix[audience].ADMIN === 'any';
});

/** What the service sends by itself, whatever the endpoint has chosen. */
export const serviceEvents = ['webhook.ping', 'webhook.reset'] as const;
export type ServiceEvent = (typeof serviceEvents)[number];

type AudienceOf<Action, Default> = Action extends { readonly audience: infer Own } ? Own : Default;

type SentActionsOf<Resources> = {
  [Type in keyof Resources & string]: Resources[Type] extends {
    readonly audience: infer Audience;
    readonly actions: infer Actions;
  }
    ? {
        [Verb in keyof Actions & string]: AudienceOf<Actions[Verb], Audience> extends
          | 'actor'
          | 'account'
          ? never
          : `${Type}.${Verb}`;
      }[keyof Actions & string]
    : never;
}[keyof Resources & string];

type Groups = typeof groupCatalogue;

/** An event that an endpoint can choose: the name of an activity that every administrator may read. */
export type ChosenEvent = {
  [Group in keyof Groups]: SentActionsOf<Groups[Group]['resources']>;
}[keyof Groups];

/** Every event that an endpoint can choose. */
// The type of an enum needs a first one.
export const chosenEvents = sentActions as unknown as readonly [ChosenEvent, ...ChosenEvent[]];

/** Maximum size of a message, in bytes. */
export const maxMessageBytes = 20 * 1024;

/** The fields that every message has beside its type and its data. */
export const webhookMessageFields = {
  timestamp: Timestamp.describe('When it happened.'),
  organizationId: Id,
  sequence: z
    .int()
    .min(1)
    .describe(
      'Number of the message: each endpoint counts by one. A number stays missing if ten attempts failed, if the message waited for 30 days, or if it named an account that was deleted.',
    ),
  isReplay: z.boolean().describe('Whether a member had it sent again.'),
  isTruncated: z
    .literal(true)
    .optional()
    .describe(
      'Present if `data` is not whole, because it was too large or would tell the text of a comment: values of its `changes` are null, or its `changes` and `metadata` are empty.',
    ),
};

const serviceData = {
  'webhook.ping': z.object({ webhookId: Id }),
  'webhook.reset': z.object({ webhookId: Id }),
} as const satisfies Record<ServiceEvent, z.ZodType>;

const descriptions: Readonly<Record<ServiceEvent, string>> = {
  'webhook.ping': 'A test of the endpoint.',
  'webhook.reset':
    'The database has another history: events may be missing. Read again what you keep a copy of.',
};

export type WebhookEventType = ChosenEvent | ServiceEvent;

/** Every event that can arrive. */
export const webhookEventTypes: readonly WebhookEventType[] = [...chosenEvents, ...serviceEvents];

/** The schema of a message: of an activity, or of the service itself. */
export function webhookMessageSchema(type: WebhookEventType) {
  const data = isService(type) ? serviceData[type] : Activity;
  return z.object({ type: z.literal(type), ...webhookMessageFields, data });
}

/** What an event means, in a sentence. */
export function describeWebhookEvent(type: WebhookEventType): string {
  if (isService(type)) return descriptions[type];
  const { label } = actionCatalogue[type];
  return `${type.split('.')[0]}: ${label.toLowerCase()}.`;
}

export function isService(type: WebhookEventType): type is ServiceEvent {
  return (serviceEvents as readonly string[]).includes(type);
}
