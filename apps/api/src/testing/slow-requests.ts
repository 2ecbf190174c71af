import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { operations, type OperationId } from '@atelier/contract';
import type { CallOptions, Reachable } from './api.ts';
import { recordStatus } from './coverage.ts';

/** A request whose headers and first body byte have been sent. */
export interface SlowRequest {
  readonly operation: OperationId;
  /** Resolves when the service is about to read the body: it has let the caller in. */
  readonly admitted: Promise<void>;
  /** Sends the rest of the body. */
  finish(): Promise<{ status: number; code: string | undefined }>;
  /** Closes the connection instead. */
  disconnect(): void;
}

/** Sends the headers of a request and at most one byte of its body. A request without a body gets an empty object. */
export function beginSlowly(
  api: Reachable,
  operation: OperationId,
  { params = {}, query = {}, body = {}, token = '', organizationId, headers }: CallOptions,
): SlowRequest {
  const endpoint = operations.find(({ id }) => id === operation)?.endpoint;
  if (!endpoint) throw new Error(`The contract has no operation ${operation}`);
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]));
  const url = new URL(path, api.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const payload = Buffer.from(JSON.stringify(body));
  const sending = request(url, {
    method: endpoint.method,
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': payload.length,
      expect: '100-continue',
      ...(organizationId !== undefined && { 'x-organization-id': organizationId }),
      ...headers,
    },
  });
  const admitted = new Promise<void>((resolve, reject) => {
    sending.on('continue', resolve);
    sending.on('response', reject);
  });
  admitted.catch(() => {});
  const responded = new Promise<{ status: number; code: string | undefined }>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (response) => {
      void text(response).then((body) => {
        const status = response.statusCode ?? 0;
        recordStatus(operation, status);
        const { code } = JSON.parse(body) as { code?: string };
        resolve({ status, code });
      }, reject);
    });
  });
  responded.catch(() => {});
  sending.write(payload.subarray(0, 1));
  return {
    operation,
    admitted,
    finish() {
      sending.end(payload.subarray(1));
      return responded;
    },
    disconnect: () => void sending.destroy(),
  };
}
