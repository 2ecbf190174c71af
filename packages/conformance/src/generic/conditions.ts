import { operations, type Operation } from '@atelier/contract';
import { operationCheck, type Check } from '../check.ts';
import type { ReceivedResponse, RequestOptions } from '../deployment.ts';
import type { Probe } from '../probe.ts';
import { validRequest } from '../valid-requests.ts';

const otherState = '"another-state-0000000000"';

/** Notifications arrive by themselves; the scenario of the inbox changes one. */
const notFromFixtures: ReadonlySet<string> = new Set(['notifications.update']);

const staleChecks: readonly Check[] = operations
  .filter(({ id, endpoint }) => endpoint.metadata.ifMatch && !notFromFixtures.has(id))
  .map((operation) =>
    operationCheck('condition.if-match', operation.id, {
      title: `${operation.id} responds with 412 to an If-Match of another state`,
      run: async ({ probe, fixtures }) => {
        const response = await probe.request(operation.id, {
          ...validRequest(operation, fixtures),
          headers: { 'if-match': otherState },
        });
        probe.expectRefusal('condition.if-match', response, 'precondition_failed');
      },
    }),
  );

const freshChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.etag)
  .map((operation) =>
    operationCheck('condition.if-none-match', operation.id, {
      title: `${operation.id} responds with 304 to an If-None-Match of this state`,
      run: async ({ probe, fixtures }) => {
        const request = validRequest(operation, fixtures);
        const again = await repeatUnchanged(probe, operation, request);
        probe.expect({
          rule: 'condition.if-none-match',
          response: again,
          holds: again.status === 304 && again.text === '',
          expected: '304 without a body',
        });
        const other = await probe.request(operation.id, {
          ...request,
          headers: { ...request.headers, 'if-none-match': otherState },
        });
        probe.expect({
          rule: 'condition.if-none-match',
          response: other,
          holds: other.status === 200,
          expected: '200 for another state',
        });
      },
    }),
  );

const maxTries = 5;

/**
 * Repeats a read with the ETag of its last response. Other checks create things in the resource, such as tasks of a
 * project, which changes its state: then the service is right not to respond with 304.
 */
async function repeatUnchanged(
  probe: Probe,
  { id }: Operation,
  request: RequestOptions,
): Promise<ReceivedResponse> {
  let response = await probe.request(id, request);
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const eTag = response.headers.get('etag') ?? '"none"';
    const headers = { ...request.headers, 'if-none-match': eTag };
    response = await probe.request(id, { ...request, headers });
    if (response.status === 304 || response.headers.get('etag') === eTag) break;
  }
  return response;
}

export const conditionChecks: readonly Check[] = [...staleChecks, ...freshChecks];
