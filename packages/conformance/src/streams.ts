import { createParser, type EventSourceMessage } from 'eventsource-parser';

const patienceMs = 15_000;

/**
 * Reads Server-Sent Events until one of a name has come whole, then hangs up: a stream has no end of
 * its own to wait for.
 *
 * @returns what has come by then, also where the stream ends or falls silent before that
 */
export async function readUntil(body: ReadableStream<Uint8Array>, event: string): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const silence = setTimeout(() => void reader.cancel(), patienceMs);
  let text = '';
  try {
    while (!messagesIn(text).some((message) => message.event === event)) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    clearTimeout(silence);
    await reader.cancel();
  }
  return text;
}

/** The whole messages of a stream. */
export function messagesIn(text: string): EventSourceMessage[] {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  parser.feed(text);
  return messages;
}
