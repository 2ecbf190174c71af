import { maxMessageBytes, type ServiceEvent, type WebhookEventType } from '@atelier/contract';
import { presentActivity } from '../activity-view/present.ts';
import type { ActivityRow } from '../activity-view/queries/lists.ts';
import type { WebhookKey } from './endpoint.ts';

/** Values of `changes` above this size are left out, in bytes. */
const maxValueBytes = 4 * 1024;

interface Envelope {
  readonly type: WebhookEventType;
  readonly timestamp: Date;
  readonly organizationId: string;
  readonly sequence: number;
  readonly isReplay: boolean;
}

/** A message to queue; its number is given when it is stored. */
export interface NewMessage {
  readonly eventId: string;
  readonly eventType: string;
  readonly isReplay: boolean;
  readonly body: (sequence: number) => Buffer;
}

/** An activity as consumers of the log get it. */
type LoggedActivity = Omit<ActivityRow, 'createdAt'> & { readonly createdAt: Date };

/** Makes the message of an activity. */
export function activityMessage(
  row: LoggedActivity,
  { organizationId, isReplay }: Pick<Envelope, 'organizationId' | 'isReplay'>,
): NewMessage {
  return {
    eventId: row.id,
    eventType: row.action,
    isReplay,
    body: (sequence) => activityBody(row, { organizationId, sequence, isReplay }),
  };
}

interface NewServiceEvent {
  readonly id: string;
  readonly type: ServiceEvent;
  readonly timestamp: Date;
}

/** Makes a message of the service itself. */
export function serviceMessage(
  { id, type, timestamp }: NewServiceEvent,
  { organizationId, webhookId }: WebhookKey,
): NewMessage {
  const envelope = { type, timestamp, organizationId, isReplay: false };
  return {
    eventId: id,
    eventType: type,
    isReplay: false,
    body: (sequence) => bodyOf({ ...envelope, sequence }, { webhookId }, false),
  };
}

interface SentMessage extends Pick<NewMessage, 'eventId' | 'eventType'> {
  readonly body: Buffer;
}

/** Makes the message of a delivery again. */
export function repeatedMessage({ eventId, eventType, body }: SentMessage): NewMessage {
  const original = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
  return {
    eventId,
    eventType,
    isReplay: true,
    body: (sequence) => Buffer.from(JSON.stringify({ ...original, sequence, isReplay: true })),
  };
}

function activityBody(
  row: LoggedActivity,
  envelope: Pick<Envelope, 'organizationId' | 'sequence' | 'isReplay'>,
): Buffer {
  const about = { ...envelope, type: row.action, timestamp: row.createdAt } as Envelope;
  const data = presentActivity(displayed(row));
  const isLeftOut = (field: string, value: unknown) => isCommentText(row, field) || isLarge(value);
  const changes = data.changes.map(({ field, from, to }) => ({
    field,
    from: isLeftOut(field, from) ? null : from,
    to: isLeftOut(field, to) ? null : to,
  }));
  const isCut = data.changes.some(
    ({ field, from, to }) => isLeftOut(field, from) || isLeftOut(field, to),
  );
  const whole = bodyOf(about, { ...data, changes }, isCut);
  if (whole.length <= maxMessageBytes) return whole;
  const fields = data.changes.map(({ field }) => ({ field, from: null, to: null }));
  const short = bodyOf(about, { ...data, changes: fields }, true);
  if (short.length <= maxMessageBytes) return short;
  return bodyOf(about, { ...data, changes: [], metadata: {} }, true);
}

/** Without what else a caller selected, as the transaction: it would be sent. */
function displayed({
  id,
  action,
  actor,
  organizationId,
  resourceType,
  resourceId,
  resourceName,
  changes,
  metadata,
  requestId,
  createdAt,
}: LoggedActivity): ActivityRow {
  const resource = { organizationId, resourceType, resourceId, resourceName };
  const shown = { ...resource, changes, metadata, requestId, createdAt: createdAt.toISOString() };
  return { id, action, actor, ...shown };
}

/** The `webhook-id`: the same for every message of one event. */
export function messageIdOf(eventId: string): string {
  return `evt_${eventId.replaceAll('-', '')}`;
}

function bodyOf(envelope: Envelope, data: object, isTruncated: boolean): Buffer {
  const { type, timestamp, organizationId, sequence, isReplay } = envelope;
  const message = {
    type,
    timestamp: timestamp.toISOString(),
    organizationId,
    sequence,
    isReplay,
    ...(isTruncated && { isTruncated }),
    data,
  };
  return Buffer.from(JSON.stringify(message));
}

/** An author may take it back, and a message not. */
function isCommentText({ resourceType }: LoggedActivity, field: string): boolean {
  const isComment = resourceType === 'comment' || resourceType === 'asset_comment';
  return isComment && field === 'body';
}

function isLarge(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value) ?? '') > maxValueBytes;
}
