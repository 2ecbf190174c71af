import type { createDocument } from 'zod-openapi';
import { errorCatalogue, type ErrorCode } from '../../src/errors.ts';
import { headerArguments, tools, type Tool } from '../../src/tools.ts';
import type { ArgumentPlace, ToolDeclaration } from '../../src/tool-declaration.ts';
import { bundled, propertiesOf, resolved, type JsonSchema } from './schemas.ts';

type Document = ReturnType<typeof createDocument>;

const argumentsByHeader: Readonly<Record<string, string>> = headerArguments;

const argumentTexts: Readonly<Record<string, string>> = {
  organizationId:
    'The organization to act in. Needed only if the key reaches several and none of them is personal.',
  idempotencyKey:
    'A text of your own, 1 to 255 printable ASCII characters: a repeated call with the same one has its effect once.',
  ifMatch: 'The `etag` of the record that you read: the call fails if it has changed since.',
};

/** Every tool of the contract, with the schemas of the OpenAPI document. */
export function toolsDocument(openApi: Document): ToolDeclaration[] {
  return tools.map((tool) => declarationOf(tool, openApi));
}

/** @throws Error if two fields of an operation have the same name: an assistant could not tell them apart */
export function declarationOf(tool: Tool, openApi: Document): ToolDeclaration {
  const { name, toolset, id, endpoint } = tool;
  const { effect, disclosesWith, keys, ifMatch } = endpoint.metadata;
  const input = inputOf(tool, openApi);
  return {
    name,
    toolset,
    operation: id,
    effect,
    disclosesWith,
    scope: String(keys),
    title: endpoint.summary,
    description: descriptionOf(tool, openApi),
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

/** Models read descriptions as instructions: this is the text of the contract, and nothing else. Headers have texts of this file. */
function descriptionOf(tool: Tool, openApi: Document): string {
  const { endpoint } = tool;
  const { summary, description, metadata } = endpoint;
  const errors = metadata.errors
    .filter((code) => !isCommon(code))
    .map((code) => `\n- ${code}: ${errorCatalogue[code].when}`);
  const body = bodyOf(tool, openApi);
  // Which of them go together, the fields don't say.
  const alternatives = body !== null && 'anyOf' in body && body['description'];
  return [
    `${summary}.`,
    description,
    alternatives,
    errors.length > 0 && `Errors:${errors.join('')}`,
  ]
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
    .map((parameter) => parameterOf(parameter, openApi))
    .flatMap(({ in: place, name, required = false, description, schema }) => {
      const argument = place === 'header' ? argumentsByHeader[name] : name;
      if (argument === undefined) return [];
      const text = argumentTexts[argument] ?? description;
      const described = text === undefined ? schema : { ...schema, description: text };
      return [{ argument, place, schema: described, isRequired: required }];
    });
}

function fieldsOf(tool: Tool, openApi: Document): Argument[] {
  const schema = bodyOf(tool, openApi);
  if (schema === null) return [];
  const { properties, required } = propertiesOf(schema, openApi);
  return Object.entries(properties).map(([argument, field]) => ({
    argument,
    place: 'body',
    schema: field,
    isRequired: required.includes(argument),
  }));
}

/** The schema of the body; null without one. */
function bodyOf(tool: Tool, openApi: Document): JsonSchema | null {
  const { requestBody } = operationOf(tool, openApi).operation;
  const { content } = (requestBody ?? {}) as { content?: Content };
  const schema = content?.['application/json']?.schema;
  return schema === undefined ? null : resolved(schema, openApi);
}

/** The data of the success, and the ETag that `ifMatch` takes. */
function outputOf(tool: Tool, openApi: Document): JsonSchema {
  const { responses } = operationOf(tool, openApi).operation;
  const { status } = tool.endpoint.metadata.success;
  const { content = {}, headers = {} } = (responses?.[`${status}`] ?? {}) as {
    content?: Content;
    headers?: Record<string, unknown>;
  };
  const envelope = content['application/json']?.schema;
  const data = envelope && propertiesOf(envelope, openApi).properties['data'];
  if (data === undefined) return { type: 'object', properties: {} };
  const { properties: fields, required } = propertiesOf(data, openApi);
  // No reference: clients of 2025 expect an object at the root, and the library would wrap anything else for them.
  if (!('ETag' in headers)) return { type: 'object', properties: fields, required };
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

function parameterOf(parameter: Parameter, { components }: Document): Parameter {
  const name = parameter.$ref?.split('/').at(-1);
  return name === undefined ? parameter : (components?.parameters?.[name] as unknown as Parameter);
}
