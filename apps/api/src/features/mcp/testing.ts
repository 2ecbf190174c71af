import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import type { TestUser } from '../../testing/accounts.ts';
import type { Reachable, TestApi } from '../../testing/api.ts';
import { makeKey } from '../../testing/api-keys.ts';

interface AssistantOptions {
  /** The query of the address, such as `mode=read-only`. */
  readonly query?: string;
  /** How the client speaks; default: the newest revision of the protocol. */
  readonly era?: 'auto' | 'legacy';
}

/** Connects the protocol's own client with a key, for one test. */
export async function connectAssistant(
  { url }: Pick<Reachable, 'url'>,
  key: string,
  { query = '', era = 'auto' }: AssistantOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test-assistant', version: '3.2.1' },
    { versionNegotiation: { mode: era } },
  );
  const headers = { authorization: `Bearer ${key}` };
  const address = new URL(`${url}/mcp${query && `?${query}`}`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

/** Makes a key with everything that a person may do in organizations. @returns its id and the key */
export function keyFor(
  api: TestApi,
  person: TestUser,
  organizationIds: readonly string[],
  others: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; key: string }> {
  return makeKey(api, person, {
    preset: 'everything',
    organizationIds,
    expiresInDays: 30,
    ...others,
  });
}

interface MessageOptions {
  readonly key?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MessageResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The test asserts the body.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Sends the body of a message as it is, without the protocol's own client. */
export async function sendText(
  { url }: Reachable,
  body: string,
  { key, query = '', headers = {} }: MessageOptions = {},
): Promise<MessageResponse> {
  const response = await fetch(`${url}/mcp${query && `?${query}`}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body,
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: data === '' ? null : JSON.parse(data),
  };
}

/** Sends a message of the revision of 2025, which needs no greeting. */
export function sendMessage(
  api: Reachable,
  message: unknown,
  options: MessageOptions = {},
): Promise<MessageResponse> {
  return sendText(api, JSON.stringify(message), options);
}

/** Calls a tool by one message. @returns the result, with the text of its only content */
export async function callOnce(
  api: Reachable,
  key: string,
  { name, input, ...options }: { name: string; input: unknown } & MessageOptions,
) {
  const params = { name, arguments: input };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const response = await sendMessage(api, message, { ...options, key });
  expect([response.status, response.body.error]).toEqual([200, undefined]);
  const { result } = response.body;
  return {
    isError: result.isError === true,
    text: String(result.content[0].text),
    data: result.structuredContent,
    headers: response.headers,
  };
}

/** Returns the text of a result. */
export function textOf({ content }: { readonly content: readonly object[] }): string {
  return content.map((part) => ('text' in part ? String(part.text) : '')).join('\n');
}
