import {
  deprecationText,
  errorCatalogue,
  operations,
  ValidationIssue,
  type ErrorCode,
  type Operation,
} from '@atelier/contract';
import { z } from 'zod';
import { operationText } from '../../contract/scripts/openapi/texts.ts';
import { isList } from './generate-routes.ts';
import {
  collapse,
  indent,
  printComment,
  printType,
  type JsonSchema,
  type NameOf,
} from './print-type.ts';

type Endpoint = Operation['endpoint'];
type Part = 'params' | 'query' | 'body' | 'data';

/** Codes that many operations share. */
const errorGroups: Readonly<Record<string, readonly ErrorCode[]>> = {
  CommonError: [
    'validation_failed',
    'malformed_request',
    'internal_error',
    'service_unavailable',
    'rate_limited',
  ],
  BodyError: ['malformed_json', 'body_too_large', 'unsupported_media_type'],
  MemberError: ['unauthenticated', 'organization_access_denied', 'permission_denied'],
  IdempotencyError: ['idempotency_in_flight', 'idempotency_key_reused'],
};

const banner =
  '// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.\n';

/** Prints flat declarations of every named schema and every operation. */
export function generateTypes(): string {
  const input = jsonSchemaOf(['params', 'query', 'body'], 'input');
  const output = jsonSchemaOf(['data'], 'output');
  const names = nameDefinitions(input.$defs ?? {}, output.$defs ?? {});
  return [
    banner,
    "import type { CallOptions, ConditionalOptions, IdempotentOptions } from '../call-options.ts';\n",
    ...names.printed,
    printErrorTypes(),
    printOperations({ input, output, names }),
  ].join('\n');
}

function schemaOf(endpoint: Endpoint, part: Part): z.ZodType | null {
  const schema: unknown = {
    params: endpoint.pathParams,
    query: endpoint.query,
    body: endpoint.body,
    data: endpoint.metadata.success.data,
  }[part];
  return schema instanceof z.ZodType ? schema : null;
}

/** Builds one JSON Schema with a property for each part of each operation, so that all share their definitions. */
function jsonSchemaOf(parts: readonly Part[], io: 'input' | 'output'): JsonSchema {
  const shape: Record<string, z.ZodType> = io === 'output' ? { issue: ValidationIssue } : {};
  for (const { id, endpoint } of operations) {
    for (const part of parts) {
      const schema = schemaOf(endpoint, part);
      if (schema) shape[`${id} ${part}`] = schema;
    }
  }
  // zod types its result as any JSON Schema; printType rejects what JsonSchema can't represent.
  return z.toJSONSchema(z.object(shape), { io, target: 'draft-2020-12' }) as JsonSchema;
}

interface Names {
  readonly input: NameOf;
  readonly output: NameOf;
  readonly printed: readonly string[];
}

/** Names the definitions; one whose input and output differ gets a second one, `…Input`. */
function nameDefinitions(
  input: Readonly<Record<string, JsonSchema>>,
  output: Readonly<Record<string, JsonSchema>>,
): Names {
  const same: NameOf = (id) => id;
  const differs = (id: string): boolean => {
    const [sent, read] = [input[id], output[id]];
    return sent && read ? printType(sent, same) !== printType(read, same) : false;
  };
  const inputName: NameOf = (id) => (differs(id) ? `${id}Input` : id);
  const declarations = new Map<string, string>();
  for (const [id, schema] of Object.entries(input)) {
    declarations.set(inputName(id), printDeclaration(inputName(id), schema, inputName));
  }
  for (const [id, schema] of Object.entries(output)) {
    declarations.set(id, printDeclaration(id, schema, same));
  }
  const sorted = [...declarations].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { input: inputName, output: same, printed: sorted.map(([, text]) => text) };
}

function printDeclaration(name: string, schema: JsonSchema, nameOf: NameOf): string {
  const choices = choicesOf(schema);
  if (choices) return printChoices({ name, schema, choices, nameOf });
  const type = printType(schema, nameOf);
  const declaration =
    type.startsWith('{\n') && type.indexOf('\n}') === type.length - 2
      ? `export interface ${name} ${type}\n`
      : `export type ${name} =${type.startsWith('\n') ? '' : ' '}${type};\n`;
  return printComment(schema.description) + declaration;
}

/** Returns the members of a union by the one field that tells each apart; null for any other schema. */
function choicesOf({ anyOf = [] }: JsonSchema): Map<string, JsonSchema> | null {
  const choices = new Map<string, JsonSchema>();
  for (const member of anyOf) {
    const [field, ...others] = member.required ?? [];
    if (!member.properties || field === undefined || others.length > 0) return null;
    choices.set(field, member);
  }
  return choices.size > 1 && choices.size === anyOf.length ? choices : null;
}

interface Choices {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly choices: ReadonlyMap<string, JsonSchema>;
  readonly nameOf: NameOf;
}

/** Prints each member under a name of its own, which errors of the compiler then have in place of its fields. */
function printChoices({ name, schema, choices, nameOf }: Choices): string {
  const fields = [...choices.keys()];
  const memberName = (field: string) => `${name}By${field.replace(/^./, (c) => c.toUpperCase())}`;
  const members = [...choices].map(([field, member]) => {
    const properties = Object.entries(member.properties ?? {}).map(([key, property]) => [
      key,
      property.not ? { ...property, description: `Not together with \`${field}\`.` } : property,
    ]);
    const type = printType({ ...member, properties: Object.fromEntries(properties) }, nameOf);
    const comment = printComment(`${schema.description} Here by \`${field}\`.`);
    return `${comment}export interface ${memberName(field)} ${type}\n`;
  });
  const comment = printComment(`${schema.description} Exactly one of ${printNames(fields)}.`);
  const union = fields.map((field) => `\n  | ${memberName(field)}`).join('');
  return `${members.join('\n')}\n${comment}export type ${name} =${union};\n`;
}

function printNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function printErrorTypes(): string {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const declared = new Set(operations.flatMap(({ endpoint }) => endpoint.metadata.errors));
  const general = codes.filter((code) => !declared.has(code));
  const statuses = codes.map(
    (code) =>
      `${printComment(errorCatalogue[code].when)}${code}: ${errorCatalogue[code].status};\n`,
  );
  const groups = Object.entries({ ...errorGroups, GeneralError: general }).map(
    ([name, members]) => `export type ${name} =${printCodes(members)};\n`,
  );
  return [
    '/** The status of every error code, and when it is returned. */\n',
    `export interface ErrorStatuses {\n${indent(statuses.join(''))}}\n\n`,
    '/** The stable name of an error; compare it, not the message. */\n',
    'export type ErrorCode = keyof ErrorStatuses;\n\n',
    groups.join('\n'),
  ].join('');
}

function printCodes(codes: readonly string[]): string {
  return codes.map((code) => `\n  | '${code}'`).join('');
}

function printErrors(codes: readonly ErrorCode[]): string {
  const rest = new Set(codes);
  const named = Object.entries(errorGroups)
    .filter(([, members]) => members.every((code) => rest.has(code)))
    .map(([name, members]) => {
      for (const code of members) rest.delete(code);
      return name;
    });
  return [...named, ...[...rest].map((code) => `'${code}'`)].join(' | ');
}

interface Printed {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly names: Names;
}

function printOperations({ input, output, names }: Printed): string {
  const entries = operations.map(({ id, endpoint }) => {
    const fields = (['params', 'query', 'body'] as const).flatMap((part) => {
      const json = input.properties?.[`${id} ${part}`];
      const isOptional = schemaOf(endpoint, part)?.safeParse(part === 'body' ? undefined : {});
      return json
        ? [`${part}${isOptional?.success ? '?' : ''}: ${collapse(printType(json, names.input))};\n`]
        : [];
    });
    const data = output.properties?.[`${id} data`];
    fields.push(`options: ${optionsOf(endpoint)};\n`);
    fields.push(`data: ${data ? printType(data, names.output) : 'undefined'};\n`);
    fields.push(`errors: ${printErrors(endpoint.metadata.errors)};\n`);
    return `'${id}': {\n${indent(fields.join(''))}};\n`;
  });
  return `/** Arguments, options, data and errors of each operation. */\nexport interface Operations {\n${indent(entries.join(''))}}\n`;
}

/** @throws Error for an operation that takes both headers, which no type has yet */
function optionsOf({ headers, path }: Endpoint): string {
  const [takesKey, takesETag] = ['idempotency-key' in headers, 'if-match' in headers];
  if (takesKey && takesETag) throw new Error(`No options for ${path}`);
  if (takesKey) return 'IdempotentOptions';
  return takesETag ? 'ConditionalOptions' : 'CallOptions';
}

/** Prints the doc comment of an operation. */
export function printDoc({ summary, description, method, path, metadata }: Endpoint): string {
  const title = `${summary}.`;
  const { deprecated } = metadata;
  const common = new Set(Object.values(errorGroups).flat());
  const errors = metadata.errors.filter((code) => !common.has(code));
  return printComment(
    [
      title,
      '',
      // Deprecation has a tag of its own.
      operationText(description, { ...metadata, deprecated: null }),
      ...(errors.length > 0 ? ['', `**Errors:** ${printNames(errors)}.`] : []),
      '',
      `\`${method} ${path}\``,
      ...(deprecated ? ['', `@deprecated ${deprecationText(deprecated)}`] : []),
    ].join('\n'),
  );
}

/** Prints the groups of operations, apart from the types that they are made of. */
export function generateGroups(): string {
  const groups = Map.groupBy(operations, ({ id }) => id.split('.')[0]);
  const printed = [...groups].map(([group, members]) => {
    const fields = members.map(
      ({ id, endpoint }) =>
        `${printDoc(endpoint)}${id.split('.')[1]}: ${kindOf(endpoint)}<'${id}'>;\n`,
    );
    return `${group}: {\n${indent(fields.join(''))}};\n`;
  });
  return [
    banner,
    "import type { ListOperation, Navigation, Operation, Streaming } from '../types.ts';\n\n",
    '/** Every operation by group and name. */\n',
    `export interface OperationGroups {\n${indent(printed.join(''))}}\n`,
  ].join('');
}

function kindOf(endpoint: Endpoint): string {
  if (endpoint.metadata.success.status === 302) return 'Navigation';
  if (endpoint.metadata.success.isStream) return 'Streaming';
  return isList(endpoint) ? 'ListOperation' : 'Operation';
}
