import {
  operations,
  type Access,
  type EndpointMetadata,
  type OperationId,
} from '@atelier/contract';
import type { FastifyRequest } from 'fastify';

type RouteConfig = FastifyRequest['routeOptions']['config'];

declare module 'fastify' {
  interface FastifyRequest {
    /** Cached by `configOf`, because Fastify merges the options of a route again on each access. */
    routeConfig?: RouteConfig;
  }
}

/** Returns the contract's metadata from a route's configuration; null outside of the contract. */
export function metadataOf(config: unknown): EndpointMetadata | null {
  const { tsRestRoute } = (config ?? {}) as { tsRestRoute?: { metadata: EndpointMetadata } };
  return tsRestRoute?.metadata ?? null;
}

function configOf(request: FastifyRequest): RouteConfig {
  return (request.routeConfig ??= request.routeOptions.config);
}

/** Returns the path of the matched route as declared, with parameter names; null without a route. */
export function patternOf(request: FastifyRequest): string | null {
  return configOf(request).url ?? null;
}

/** Returns the contract's metadata of the matched operation; null outside of the contract. */
export function operationOf(request: FastifyRequest): EndpointMetadata | null {
  return metadataOf(configOf(request));
}

const operationIds = new Map(operations.map(({ id, endpoint }) => [endpoint.metadata, id]));

/** Returns the name of the matched operation; null outside of the contract. */
export function operationIdOf(request: FastifyRequest): OperationId | null {
  const metadata = operationOf(request);
  return metadata === null ? null : (operationIds.get(metadata) ?? null);
}

/** Returns the declared access of the matched operation; null outside of the contract. */
export function accessOf(request: FastifyRequest): Access | null {
  return operationOf(request)?.access ?? null;
}
