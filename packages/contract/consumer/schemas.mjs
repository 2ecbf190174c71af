// Runs with each version of zod that the contract supports.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { contract, operations } from '@atelier/contract';
import { errorCatalogue } from '@atelier/contract/errors';
import { Task } from '@atelier/contract/schemas';
import { z } from 'zod/v4';

let examples = 0;
for (const { id, endpoint } of operations) {
  const { success } = endpoint.metadata;
  const schemas = [
    endpoint.body,
    endpoint.query,
    endpoint.pathParams,
    success.data,
    ...Object.values(endpoint.responses),
    ...Object.values(endpoint.headers),
  ].filter((schema) => schema instanceof z.ZodType);
  for (const schema of schemas) {
    for (const io of ['input', 'output']) z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const example of schema.meta()?.examples ?? []) {
      examples += 1;
      assert.equal(schema.safeParse(example).error, undefined, id);
    }
  }
  if (success.body && success.message !== null) {
    const { message } = success.body.shape;
    assert.deepEqual(
      [message.meta().examples, message.parse('Reworded')],
      [[success.message], 'Reworded'],
    );
  }
}
assert.ok(examples > 100);
assert.deepEqual(contract.tasks.list.query.parse({}), { limit: 20, sort: '-createdAt' });
assert.deepEqual(
  contract.tasks.list.query.safeParse({ page: '1', cursor: 'x' }).error.issues[0].path,
  ['page'],
);
const required = createRequire(import.meta.url)('@atelier/contract/schemas');
assert.equal(required.Task, Task);
assert.equal(errorCatalogue.not_found.status, 404);
