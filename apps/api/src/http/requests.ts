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
    /** Kept by `configOf`, which asks the framework once: it puts the options of a route together anew each time. */
    routeConfig?: RouteConfig;
  }
}

/** The contract's metadata in a route's configuration; null outside of the contract. */
export function metadataOf(config: unknown): EndpointMetadata | null {
  const { tsRestRoute } = (config ?? {}) as { tsRestRoute?: { metadata: EndpointMetadata } };
  return tsRestRoute?.metadata ?? null;
}

function configOf(request: FastifyRequest): RouteConfig {
  return (request.routeConfig ??= request.routeOptions.config);
}

/** The path of the matched route as it is declared, with names for its parameters; null without a route. */
export function patternOf(request: FastifyRequest): string | null {
  return configOf(request).url ?? null;
}

/** The contract's metadata of the matched operation; null outside of the contract. */
export function operationOf(request: FastifyRequest): EndpointMetadata | null {
  return metadataOf(configOf(request));
}

const operationIds = new Map(operations.map(({ id, endpoint }) => [endpoint.metadata, id]));

/** The name of the matched operation; null outside of the contract. */
export function operationIdOf(request: FastifyRequest): OperationId | null {
  const metadata = operationOf(request);
  return metadata === null ? null : (operationIds.get(metadata) ?? null);
}

/** Who may call the matched operation; null outside of the contract. */
export function accessOf(request: FastifyRequest): Access | null {
  return operationOf(request)?.access ?? null;
}
