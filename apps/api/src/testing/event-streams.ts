import type { LiveMessage } from '@atelier/contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { Reachable } from './api.ts';
import { recordStatus } from './coverage.ts';

export type Message = z.output<typeof LiveMessage> & { readonly id: string | undefined };

export interface OpenStream {
  readonly response: Response;
  /** All messages so far. */
  readonly messages: readonly Message[];
  /** The id of the last message with one. */
  readonly lastId: string | undefined;
  /** Waits for the first matching message, past or future. */
  find(fits: (message: Message) => boolean): Promise<Message>;
  /** Waits for the change of a resource. */
  change(resourceId: string): Promise<Message>;
  /** Returns the names of changed resources, in order of arrival. */
  names(): string[];
  /** Waits until the service ends the stream. @returns the reason */
  closed(): Promise<string>;
  /** Disconnects. */
  leave(): void;
}

export interface StreamOptions {
  readonly token: string;
  readonly organizationId?: string;
  readonly lastEventId?: string | undefined;
}

/** Subscribes like a client over HTTP, and waits until the stream is ready. */
export async function openStream(
  api: Reachable,
  { token, organizationId, lastEventId }: StreamOptions,
): Promise<OpenStream> {
  const hangUp = new AbortController();
  const response = await fetch(`${api.url}/api/events`, {
    signal: hangUp.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(organizationId !== undefined && { 'x-organization-id': organizationId }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  recordStatus('events.subscribe', response.status);
  expect(response.status).toBe(200);
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  const wake = () => waiting.forEach((look) => look());

  async function read(): Promise<void> {
    const stream = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { id, event, data } of stream) {
      messages.push({ id, event, data: JSON.parse(data) } as Message);
      wake();
    }
  }
  void read()
    .catch(() => {})
    .then(() => {
      isOver = true;
      wake();
    });

  const find: OpenStream['find'] = (fits) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = messages.find(fits);
        if (!found && !isOver) return;
        waiting.delete(look);
        if (found) resolve(found);
        else reject(new Error(`The stream ended: ${JSON.stringify(messages.slice(-3))}`));
      };
      waiting.add(look);
      look();
    });

  const stream: OpenStream = {
    response,
    messages,
    get lastId() {
      return messages.findLast(({ id }) => id !== undefined)?.id;
    },
    find,
    change: (resourceId) =>
      find((message) => message.event === 'activity' && message.data.resourceId === resourceId),
    names: () =>
      messages.flatMap((message) =>
        message.event === 'activity' ? [message.data.resourceName] : [],
      ),
    async closed() {
      const last = await find(({ event }) => event === 'closed');
      await expect.poll(() => isOver).toBe(true);
      return last.event === 'closed' ? last.data.reason : '';
    },
    leave: () => hangUp.abort(),
  };
  await find(({ event }) => event === 'ready');
  return stream;
}
