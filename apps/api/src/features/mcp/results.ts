import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ApiResponse } from './api.ts';

/** Largest result of an operation that reads, in bytes of JSON: a model has to read it. */
const maxResultBytes = 64 * 1024;

/** Returns what a tool found or did; clients before structured results get the same as text. */
export function resultOf(data: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(data) }],
    structuredContent: data,
  };
}

/** Returns a refusal, which the model reads. */
export function refusal(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}

/** Returns the result of a request to the API. */
export function resultOfResponse({ status, body, etag }: ApiResponse): CallToolResult {
  if (status >= 400) return refusal(JSON.stringify(body));
  return resultOf({ ...(body.data as object | undefined), ...(etag !== null && { etag }) });
}

/** Refuses what is too long to be read. Only for what changes nothing: a change has happened. */
export function withinBounds(result: CallToolResult): CallToolResult {
  const [content] = result.content;
  const bytes = content?.type === 'text' ? Buffer.byteLength(content.text) : 0;
  if (bytes <= maxResultBytes) return result;
  return refusal(
    `The result has ${bytes} bytes, and at most ${maxResultBytes} are returned: ask for fewer items with \`limit\``,
  );
}
