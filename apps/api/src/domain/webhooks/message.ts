import { maxMessageBytes, type WebhookEventType } from '@atelier/contract';
import { presentActivity } from '../activity-view/present.ts';
import type { ActivityRow } from '../activity-view/queries/lists.ts';

/** Values of `changes` above this size are left out, in bytes. */
const maxValueBytes = 4 * 1024;

interface Envelope {
  readonly type: WebhookEventType;
  readonly timestamp: Date;
  readonly organizationId: string;
  readonly sequence: number;
  readonly isReplay: boolean;
}

/** Writes the message of an activity. */
export function activityMessage(
  row: ActivityRow,
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
  const whole = messageOf(about, { ...data, changes }, isCut);
  if (whole.length <= maxMessageBytes) return whole;
  const fields = data.changes.map(({ field }) => ({ field, from: null, to: null }));
  const short = messageOf(about, { ...data, changes: fields }, true);
  if (short.length <= maxMessageBytes) return short;
  return messageOf(about, { ...data, changes: [], metadata: {} }, true);
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
}: ActivityRow): ActivityRow {
  const resource = { organizationId, resourceType, resourceId, resourceName };
  return { id, action, actor, ...resource, changes, metadata, requestId, createdAt };
}

/** Writes a message of the service itself. */
export function serviceMessage(envelope: Envelope, data: { readonly webhookId: string }): Buffer {
  return messageOf(envelope, data, false);
}

/** The `webhook-id`: the same for every message of one event. */
export function messageIdOf(eventId: string): string {
  return `evt_${eventId.replaceAll('-', '')}`;
}

function messageOf(envelope: Envelope, data: object, isTruncated: boolean): Buffer {
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
function isCommentText({ resourceType }: ActivityRow, field: string): boolean {
  const isComment = resourceType === 'comment' || resourceType === 'asset_comment';
  return isComment && field === 'body';
}

function isLarge(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value) ?? '') > maxValueBytes;
}
