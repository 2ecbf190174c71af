import { operations } from '@atelier/contract';
import { groupOf, type Check } from '../check.ts';
import { addressOf } from '../deployment.ts';
import { validRequest } from '../valid-requests.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A path of the contract rejects unsupported methods and lists the supported ones. */
export const methodChecks: readonly Check[] = [
  ...new Map(operations.map((operation) => [operation.endpoint.path, operation])).values(),
].map((operation) => {
  const { path } = operation.endpoint;
  const known = new Set<string>(
    operations
      .filter(({ endpoint }) => pathPattern(endpoint.path).test(path))
      .map(({ endpoint }) => endpoint.method),
  );
  return {
    id: `method.unsupported:${path}`,
    group: groupOf(operation.id),
    title: `${path} responds with 405 and Allow to unsupported methods`,
    run: async ({ probe, fixtures }) => {
      const { params, token } = validRequest(operation, fixtures);
      for (const method of methods.filter((candidate) => !known.has(candidate))) {
        const response = await probe.sendTo(addressOf(path, { params }), {
          method,
          ...(token !== undefined && { token }),
        });
        if (!probe.expectRefusal('method.unsupported', response, 'method_not_allowed')) continue;
        const allowed = (response.headers.get('allow') ?? '').split(/\s*,\s*/);
        probe.expect({
          rule: 'method.unsupported',
          response,
          holds: methodsAt(path).every((declared) => allowed.includes(declared)),
          expected: `Allow with ${methodsAt(path).join(', ')}`,
          actual: `Allow: ${response.headers.get('allow') ?? 'none'}`,
        });
      }
    },
  };
});

/** An unknown path is a 404 in the shape of every error. */
export const routeChecks: readonly Check[] = [
  {
    id: 'method.unknown-path',
    group: 'health',
    isReading: true,
    title: 'a path outside of the contract responds with 404',
    run: async ({ probe }) => {
      for (const path of ['/api/no-such-thing', '/no-such-thing']) {
        const response = await probe.sendTo(path, { method: 'GET' });
        probe.expectRefusal('method.unknown-path', response, 'route_not_found');
      }
    },
  },
  {
    id: 'request-id.kept',
    group: 'health',
    isReading: true,
    title: 'the response repeats the x-request-id of the client',
    run: async ({ probe }) => {
      await probe.request('health.live', { headers: { 'x-request-id': 'req_conformance_1' } });
      const response = await probe.request('auth.user', {
        headers: { 'x-request-id': 'req_conformance_2' },
      });
      probe.expectRefusal('request-id.kept', response, 'unauthenticated');
    },
  },
];

function methodsAt(path: string): string[] {
  return operations
    .filter(({ endpoint }) => endpoint.path === path)
    .map(({ endpoint }) => endpoint.method);
}

/** Matches paths that fit a pattern with parameters, such as `/api/assets/logs` for `/api/assets/:id`. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
