import type { createDocument } from 'zod-openapi';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import { tools, type Tool } from '../../src/tools.ts';
import type { ArgumentPlace, ToolDeclaration } from '../../src/tool-declaration.ts';
import { bundled, propertiesOf, type JsonSchema } from './schemas.ts';

type Document = ReturnType<typeof createDocument>;

/** The headers that an assistant may set, by the name of the argument. */
const headerArguments: Readonly<Record<string, string>> = {
  'x-organization-id': 'organizationId',
  'idempotency-key': 'idempotencyKey',
  'if-match': 'ifMatch',
};

const argumentTexts: Readonly<Record<string, string>> = {
  organizationId:
    'The organization to act in. Needed only if the key reaches several and none of them is personal.',
  idempotencyKey:
    'Any text of your own, at most 255 characters: a repeated call with the same one has its effect once.',
  ifMatch: 'The `etag` of the record that you read: the call fails if it has changed since.',
};

/** Every tool of the contract, with the schemas of the OpenAPI document. */
export function toolsDocument(openApi: Document): ToolDeclaration[] {
  return tools.map((tool) => declarationOf(tool, openApi));
}

function declarationOf(tool: Tool, openApi: Document): ToolDeclaration {
  const { name, toolset, id, endpoint } = tool;
  const { effect, keys, ifMatch } = endpoint.metadata;
  const input = inputOf(tool, openApi);
  return {
    name,
    toolset,
    operation: id,
    effect,
    scope: String(keys),
    title: endpoint.summary,
    description: descriptionOf(tool),
    places: Object.fromEntries(input.map(({ argument, place }) => [argument, place])),
    inputSchema: bundled(
      {
        type: 'object',
        properties: Object.fromEntries(input.map(({ argument, schema }) => [argument, schema])),
        required: input.filter(({ isRequired }) => isRequired).map(({ argument }) => argument),
        additionalProperties: false,
      },
      openApi,
    ),
    outputSchema: bundled(outputOf(tool, openApi), openApi),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'remove',
      idempotentHint:
        effect === 'read' || ifMatch || endpoint.method === 'PUT' || endpoint.method === 'DELETE',
      openWorldHint: false,
    },
  };
}

/** Models read descriptions as instructions: this is the text of the contract, and nothing else. */
function descriptionOf({ endpoint }: Tool): string {
  const { summary, description, metadata } = endpoint;
  const errors = metadata.errors
    .filter((code) => !isCommon(code))
    .map((code) => `\n- ${code}: ${errorCatalogue[code].when}`);
  return [`${summary}.`, description, errors.length > 0 && `Errors:${errors.join('')}`]
    .filter(Boolean)
    .join('\n\n');
}

/** Whether most tools have an error: repeated in each of them, it would tell nothing. */
function isCommon(code: ErrorCode): boolean {
  const count = tools.filter(({ endpoint }) => endpoint.metadata.errors.includes(code)).length;
  return count * 2 > tools.length;
}

interface Argument {
  readonly argument: string;
  readonly place: ArgumentPlace;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** @throws Error if two fields of an operation have the same name: an assistant could not tell them apart */
function inputOf(tool: Tool, openApi: Document): Argument[] {
  const found = [...parametersOf(tool, openApi), ...fieldsOf(tool, openApi)];
  const names = found.map(({ argument }) => argument);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new Error(`${tool.id} has two fields named ${twice}: name one of them differently`);
  }
  return found;
}

interface Parameter {
  readonly $ref?: string;
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

function parametersOf(tool: Tool, openApi: Document): Argument[] {
  const { path, operation } = operationOf(tool, openApi);
  const parameters = [...(path.parameters ?? []), ...(operation.parameters ?? [])] as Parameter[];
  return parameters
    .map((parameter) => resolved(parameter, openApi))
    .flatMap(({ in: place, name, required = false, description, schema }) => {
      const argument = place === 'header' ? headerArguments[name] : name;
      if (argument === undefined) return [];
      const text = argumentTexts[argument] ?? description;
      const described = text === undefined ? schema : { ...schema, description: text };
      return [{ argument, place, schema: described, isRequired: required }];
    });
}

function fieldsOf(tool: Tool, openApi: Document): Argument[] {
  const { requestBody } = operationOf(tool, openApi).operation;
  const schema = (requestBody as { content?: Content } | undefined)?.content?.['application/json']
    ?.schema;
  if (schema === undefined) return [];
  const { properties, required } = propertiesOf(schema, openApi);
  return Object.entries(properties).map(([argument, field]) => ({
    argument,
    place: 'body',
    schema: field,
    isRequired: required.includes(argument),
  }));
}

/** The data of the success, and the ETag that `ifMatch` takes. */
function outputOf(tool: Tool, openApi: Document): JsonSchema {
  const { responses } = operationOf(tool, openApi).operation;
  const { status } = tool.endpoint.metadata.success;
  const { content = {}, headers = {} } = (responses?.[`${status}`] ?? {}) as {
    content?: Content;
    headers?: Record<string, unknown>;
  };
  const { properties } = propertiesOf(content['application/json']?.schema ?? {}, openApi);
  const { data } = properties;
  if (data === undefined) return { type: 'object', properties: {} };
  if (!('ETag' in headers)) return data;
  const { properties: fields, required } = propertiesOf(data, openApi);
  const etag = { type: 'string', description: 'The state of the record, for `ifMatch`.' };
  return { type: 'object', properties: { ...fields, etag }, required };
}

type Content = Record<string, { schema: JsonSchema } | undefined>;

function operationOf({ endpoint }: Tool, { paths }: Document) {
  const path = paths?.[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')];
  const operation = path?.[endpoint.method.toLowerCase() as 'get'];
  if (!path || !operation) throw new Error(`${endpoint.path} is not in the document`);
  return { path, operation };
}

function resolved(parameter: Parameter, { components }: Document): Parameter {
  const name = parameter.$ref?.split('/').at(-1);
  return name === undefined ? parameter : (components?.parameters?.[name] as unknown as Parameter);
}
