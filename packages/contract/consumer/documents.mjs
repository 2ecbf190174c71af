// Reads the document with a parser, and makes collections of two API explorers from it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { openApiToBruno } from '@usebruno/converters';
import postman from 'openapi-to-postmanv2';

const file = process.argv[2];
const text = readFileSync(file, 'utf8');
const { paths } = await SwaggerParser.validate(file);
const operations = Object.values(paths).flatMap((item) =>
  ['get', 'put', 'post', 'delete', 'patch'].filter((method) => method in item),
).length;
assert.ok(operations > 90);

const converted = await new Promise((resolve, reject) => {
  postman.convert({ type: 'string', data: text }, { folderStrategy: 'Tags' }, (error, result) =>
    error ? reject(error) : resolve(result),
  );
});
assert.equal(converted.result, true, converted.reason);
assert.equal(countOf(converted.output[0].data.item, 'item'), operations);
assert.equal(countOf(openApiToBruno(JSON.parse(text)).items, 'items'), operations);

function countOf(items, nested) {
  return items.reduce(
    (count, item) => count + (item[nested] ? countOf(item[nested], nested) : 1),
    0,
  );
}
