import { operations } from '@atelier/contract';
import { operationCheck, type Check } from '../check.ts';
import { validRequest } from '../valid-requests.ts';

const otherState = '"another-state-0000000000"';

const staleChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.ifMatch)
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
        const first = await probe.request(operation.id, request);
        const eTag = first.headers.get('etag') ?? '';
        const again = await probe.request(operation.id, {
          ...request,
          headers: { 'if-none-match': eTag === '' ? '"none"' : eTag },
        });
        probe.expect({
          rule: 'condition.if-none-match',
          response: again,
          holds: again.status === 304 && again.text === '',
          expected: '304 without a body',
        });
        const other = await probe.request(operation.id, {
          ...request,
          headers: { 'if-none-match': otherState },
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

export const conditionChecks: readonly Check[] = [...staleChecks, ...freshChecks];
