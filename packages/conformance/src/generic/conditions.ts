import { operations } from '@atelier/contract';
import { operationCheck, type Check } from '../check.ts';
import { validRequest } from '../valid-requests.ts';

const otherState = '"another-state-0000000000"';

const staleChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.ifMatch)
  .map((operation) =>
    operationCheck('condition.if-match', operation.id, {
      title: `${operation.id} answers 412 to an If-Match of another state`,
      run: async ({ probe, world }) => {
        const answer = await probe.call(operation.id, {
          ...validRequest(operation, world),
          headers: { 'if-match': otherState },
        });
        probe.expectRefusal('condition.if-match', answer, 'precondition_failed');
      },
    }),
  );

const freshChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.etag)
  .map((operation) =>
    operationCheck('condition.if-none-match', operation.id, {
      title: `${operation.id} answers 304 to whoever has this state`,
      run: async ({ probe, world }) => {
        const request = validRequest(operation, world);
        const first = await probe.call(operation.id, request);
        const eTag = first.headers.get('etag') ?? '';
        const again = await probe.call(operation.id, {
          ...request,
          headers: { 'if-none-match': eTag === '' ? '"none"' : eTag },
        });
        probe.expect({
          rule: 'condition.if-none-match',
          answer: again,
          holds: again.status === 304 && again.text === '',
          expected: '304 without a body',
        });
        const other = await probe.call(operation.id, {
          ...request,
          headers: { 'if-none-match': otherState },
        });
        probe.expect({
          rule: 'condition.if-none-match',
          answer: other,
          holds: other.status === 200,
          expected: '200 for another state',
        });
      },
    }),
  );

export const conditionChecks: readonly Check[] = [...staleChecks, ...freshChecks];
