import { operations, type Operation } from '@atelier/contract';
import { MockFailure } from './failure.ts';
import type { Input, MockRequest } from './requests.ts';

const routes = operations.map((operation) => {
  const segments = operation.endpoint.path.split('/');
  return { operation, segments, parameters: segments.filter((one) => one.startsWith(':')).length };
});

/** Whether the contract has a path, with any method. */
export function isKnownPath(path: string): boolean {
  return matching(path.split('/')).length > 0;
}

function matching(given: readonly string[]) {
  return (
    routes
      .filter(
        ({ segments }) =>
          segments.length === given.length &&
          segments.every((segment, index) =>
            segment.startsWith(':') ? given[index] !== '' : segment === given[index],
          ),
      )
      // The path with fewer parameters wins, as in the service.
      .toSorted((one, other) => one.parameters - other.parameters)
  );
}

/** Finds the operation of a request. @throws MockFailure for an unknown path or method */
export function matchOf({ method, url }: Pick<MockRequest, 'method' | 'url'>): {
  operation: Operation;
  params: Input['params'];
} {
  const given = url.pathname.split('/').map(decoded);
  const found = matching(given);
  const [first] = found;
  if (!first) throw new MockFailure('route_not_found');
  const { path } = first.operation.endpoint;
  const route =
    found.find(({ operation }) => isRoute(operation, method) && operation.endpoint.path === path) ??
    found.find(({ operation }) => isRoute(operation, method));
  if (!route) {
    const methods = found.map(({ operation }) => operation.endpoint.method);
    const allow = [...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))];
    throw new MockFailure('method_not_allowed', { headers: { allow: allow.join(', ') } });
  }
  const params = Object.fromEntries(
    route.segments.flatMap((segment, index) =>
      segment.startsWith(':') ? [[segment.slice(1), given[index] ?? '']] : [],
    ),
  );
  return { operation: route.operation, params };
}

function isRoute({ endpoint }: Operation, method: string): boolean {
  return endpoint.method === method;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new MockFailure('malformed_request');
  }
}
