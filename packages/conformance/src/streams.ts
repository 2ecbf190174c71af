import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { arrivalMs } from './eventually.ts';

/**
 * Reads Server-Sent Events until a complete event of a name arrives, then closes the stream, which has no end
 * of its own.
 *
 * @returns the text received, even if the stream ends or stays silent before that
 */
export async function readUntil(body: ReadableStream<Uint8Array>, event: string): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const silence = setTimeout(() => void reader.cancel(), arrivalMs);
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

/** Parses the complete messages of a stream. */
export function messagesIn(text: string): EventSourceMessage[] {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  parser.feed(text);
  return messages;
}
