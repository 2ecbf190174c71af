import { z } from 'zod/v4';

/** A successful response: status, message, and the schema of the body. */
export interface Success {
  readonly status: 200 | 201 | 302;
  /** The `message` of the envelope; null if it has none. */
  readonly message: string | null;
  /** Schema of `data`; null if the response has none. */
  readonly data: z.ZodType | null;
  /** Schema of the whole body; null for a redirect and for a stream. */
  readonly body: z.ZodType | null;
  /** The body is an endless `text/event-stream`, and `data` the schema of its messages. */
  readonly isStream?: true;
}

/** A success with `{ message, data }`. */
export interface Enveloped<
  Status extends Success['status'],
  Message extends string,
  Data extends z.ZodType,
> extends Success {
  readonly status: Status;
  readonly message: Message;
  readonly data: Data;
  readonly body: z.ZodObject<{ message: z.ZodString; data: Data }>;
  readonly isStream?: never;
}

/** 200 with `{ message, data }`. */
export function ok<const Message extends string, Data extends z.ZodType>(
  message: Message,
  data: Data,
): Enveloped<200, Message, Data> {
  return { status: 200, message, data, body: envelope(message, data) };
}

/** 201 with `{ message, data }`. */
export function created<const Message extends string, Data extends z.ZodType>(
  message: Message,
  data: Data,
): Enveloped<201, Message, Data> {
  return { status: 201, message, data, body: envelope(message, data) };
}

/** 200 with `{ data }`: the two operations that the specification gives no message. */
export function withoutMessage<Data extends z.ZodType>(data: Data) {
  return { status: 200, message: null, data, body: z.object({ data }) } as const satisfies Success;
}

/** 200 with `{ message }` only: logout. */
export function withoutData<const Message extends string>(message: Message) {
  const body = z.object({ message: text(message) });
  return { status: 200, message, data: null, body } as const satisfies Success;
}

/** 302 with a `Location`, for browser navigation; no body. */
export const redirect = {
  status: 302,
  message: null,
  data: null,
  body: null,
} as const satisfies Success;

/**
 * 200 with Server-Sent Events.
 *
 * @param message - union of `{ event, data }`: the name of a message, and what its `data` holds as JSON
 */
export function eventStream<Message extends z.ZodType>(message: Message) {
  return {
    status: 200,
    message: null,
    data: message,
    body: null,
    isStream: true,
  } as const satisfies Success;
}

function envelope<Data extends z.ZodType>(message: string, data: Data) {
  return z.object({ message: text(message), data });
}

/** Any text, because texts may be reworded within a major version; `metadata.success` has the present one. */
function text(message: string) {
  return z.string().meta({ examples: [message] });
}
