import { operations } from '@atelier/contract';
import { groupOf, type Check } from '../check.ts';
import { addressOf } from '../deployment.ts';
import { validRequest } from '../valid-requests.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A path of the contract refuses the methods it does not have, and says which it has. */
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
    title: `${path} answers 405 with Allow to methods it does not have`,
    run: async ({ probe, world }) => {
      const { params, token } = validRequest(operation, world);
      for (const method of methods.filter((candidate) => !known.has(candidate))) {
        const answer = await probe.sendTo(addressOf(path, { params }), {
          method,
          ...(token !== undefined && { token }),
        });
        if (!probe.expectRefusal('method.unsupported', answer, 'method_not_allowed')) continue;
        const allowed = (answer.headers.get('allow') ?? '').split(/\s*,\s*/);
        probe.expect({
          rule: 'method.unsupported',
          answer,
          holds: methodsAt(path).every((declared) => allowed.includes(declared)),
          expected: `Allow with ${methodsAt(path).join(', ')}`,
          actual: `Allow: ${answer.headers.get('allow') ?? 'none'}`,
        });
      }
    },
  };
});

/** A path that no operation has is a 404 in the shape of every error. */
export const routeChecks: readonly Check[] = [
  {
    id: 'method.unknown-path',
    group: 'health',
    isReading: true,
    title: 'a path outside of the contract answers 404',
    run: async ({ probe }) => {
      for (const path of ['/api/no-such-thing', '/no-such-thing']) {
        const answer = await probe.sendTo(path, { method: 'GET' });
        probe.expectRefusal('method.unknown-path', answer, 'route_not_found');
      }
    },
  },
  {
    id: 'request-id.kept',
    group: 'health',
    isReading: true,
    title: 'an x-request-id of the caller comes back',
    run: async ({ probe }) => {
      await probe.call('health.live', { headers: { 'x-request-id': 'req_conformance_1' } });
      const answer = await probe.call('auth.user', {
        headers: { 'x-request-id': 'req_conformance_2' },
      });
      probe.expectRefusal('request-id.kept', answer, 'unauthenticated');
    },
  },
];

function methodsAt(path: string): string[] {
  return operations
    .filter(({ endpoint }) => endpoint.path === path)
    .map(({ endpoint }) => endpoint.method);
}

/** Paths that a pattern with parameters also matches, such as `/api/assets/logs` for `/api/assets/:id`. */
function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
