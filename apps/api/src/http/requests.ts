import type { Access, EndpointMetadata } from '@atelier/contract';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Kept by `operationOf`, which asks the framework once: it puts the options of a route together anew each time. */
    operation?: EndpointMetadata | null;
  }
}

/** The contract's metadata in a route's configuration; null outside of the contract. */
export function metadataOf(config: unknown): EndpointMetadata | null {
  const { tsRestRoute } = (config ?? {}) as { tsRestRoute?: { metadata: EndpointMetadata } };
  return tsRestRoute?.metadata ?? null;
}

/** The contract's metadata of the matched operation; null outside of the contract. */
export function operationOf(request: FastifyRequest): EndpointMetadata | null {
  return (request.operation ??= metadataOf(request.routeOptions.config));
}

/** Who may call the matched operation; null outside of the contract. */
export function accessOf(request: FastifyRequest): Access | null {
  return operationOf(request)?.access ?? null;
}
