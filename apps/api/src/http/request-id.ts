import type { IncomingMessage } from 'node:http';
import { newId } from '../kernel/ids.ts';

/** Letters, digits and a few separators: safe in headers, logs and SQL comments. */
const saneToken = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the client's `x-request-id` if it is valid, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const presented = request.headers['x-request-id'];
  return typeof presented === 'string' && saneToken.test(presented) ? presented : newRequestId();
}

export function newRequestId(): string {
  return `req_${newId()}`;
}
