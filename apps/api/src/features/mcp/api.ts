import { operationById } from '@atelier/contract';
import type { FastifyRequest } from 'fastify';
import { inject } from 'light-my-request';
import type { ApiRequest } from '../../domain/tools/request.ts';

export interface ApiResponse {
  readonly status: number;
  readonly etag: string | null;
  /** Seconds to wait before another attempt; null: the response doesn't say. */
  readonly retryAfter: string | null;
  /** The envelope of a success, or the one error shape. */
  readonly body: { readonly data?: unknown; readonly message?: string };
}

export type CallApi = (request: ApiRequest) => Promise<ApiResponse>;

/**
 * Returns the function that makes requests with the key, the address and the request id of this one. They pass everything that
 * a request over the network passes: authentication, limits, validation, permissions, idempotency.
 */
export function apiOf({ server, headers, ip, id }: FastifyRequest): CallApi {
  return async ({ operation, params, query, headers: given, body }) => {
    const { method, path } = operationById(operation).endpoint;
    // Not by `server.inject`, which refuses while the service stops. What it serves then, it also serves in here.
    const response = await inject(server.routing, {
      method,
      url: pathOf(path, params ?? {}),
      query: { ...query },
      headers: {
        ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        ...(headers['user-agent'] !== undefined && { 'user-agent': headers['user-agent'] }),
        'x-request-id': id,
        ...given,
      },
      remoteAddress: ip,
      ...(body !== undefined && { payload: body as object }),
    });
    const headerOf = (name: string) => {
      const value = response.headers[name];
      return value === undefined ? null : String(value);
    };
    return {
      status: response.statusCode,
      etag: headerOf('etag'),
      retryAfter: headerOf('retry-after'),
      body: response.json(),
    };
  };
}

function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Returns the header that selects an organization; none for the one that a key reaches anyway. */
export function organizationHeader(organizationId: string | undefined): Record<string, string> {
  return organizationId === undefined ? {} : { 'x-organization-id': organizationId };
}
