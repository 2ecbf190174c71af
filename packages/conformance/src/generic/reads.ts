import { operations, type Operation } from '@atelier/contract';
import { operationCheck, type Check, type CheckContext } from '../check.ts';
import type { RequestOptions } from '../deployment.ts';
import { validRequest } from '../valid-requests.ts';

/** Operations that need more than the fixtures. */
const notFromFixtures = new Set(['auth.verifyToken']);

const readChecks: readonly Check[] = operations
  .filter(({ id, endpoint }) => {
    const { success } = endpoint.metadata;
    return endpoint.method === 'GET' && success.status === 200 && !notFromFixtures.has(id);
  })
  .map((operation) =>
    operationCheck('read.responds', operation.id, {
      title: `${operation.id} responds as declared, twice the same way`,
      run: async ({ probe, fixtures }) => {
        const request = validRequest(operation, fixtures);
        await probe.succeed(operation.id, request);
        await probe.succeed(operation.id, request);
      },
    }),
  );

const cursorChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.list?.hasCursor === true)
  .map((operation) =>
    operationCheck('list.forged-cursor', operation.id, {
      title: `${operation.id} rejects a forged cursor`,
      run: (context) => forge(context, operation),
    }),
  );

async function forge({ probe, fixtures }: CheckContext, operation: Operation): Promise<void> {
  const request: RequestOptions = validRequest(operation, fixtures);
  const cursors = ['x', 'eyJpZCI6IjEifQ', Buffer.from('{"id":"1"}').toString('base64url')];
  for (const cursor of cursors) {
    const response = await probe.request(operation.id, {
      ...request,
      query: { ...request.query, cursor },
    });
    probe.expectRefusal('list.forged-cursor', response, 'validation_failed');
  }
}

export const readingChecks: readonly Check[] = [...readChecks, ...cursorChecks];
