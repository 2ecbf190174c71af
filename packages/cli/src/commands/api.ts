import { readFile } from 'node:fs/promises';
import { operations, type Operation } from '@atelier/contract';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { UsageError } from '../failures.ts';
import { openSession, type GlobalOptions, type Session } from '../session.ts';
import { jsonOf, print, readInput, type Terminal } from '../terminal.ts';

/** Operations that have commands of their own, because their response isn't JSON. */
const elsewhere: ReadonlyMap<string, string> = new Map([['events.subscribe', 'watch']]);

interface Parameter {
  readonly name: string;
  readonly flag: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The parts of JSON Schema that help and options use. */
interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** Adds a command for each operation of the contract. */
export function addOperations(api: Command, terminal: Terminal): void {
  for (const operation of operations) {
    if (!elsewhere.has(operation.id)) addOperation(api, operation, terminal);
  }
}

function addOperation(api: Command, operation: Operation, terminal: Terminal): void {
  const { endpoint, id } = operation;
  const params = parametersOf(endpoint.pathParams);
  const query = parametersOf('query' in endpoint ? endpoint.query : undefined);
  const body = bodyOf(operation);
  const command = api.command(id).description(endpoint.summary).helpGroup(groupOf(id));
  for (const parameter of [...params, ...query]) command.addOption(optionOf(parameter));
  if (body) command.option('--body <json>', 'JSON, @file, or - for standard input');
  const { ifMatch, idempotent, secretKey } = endpoint.metadata;
  if (ifMatch) command.option('--if-match <etag>', 'only if the resource still has this ETag');
  if (idempotent || secretKey) {
    command.option('--idempotency-key <key>', 'a repetition with the same key changes nothing');
  }
  command.addHelpText('after', () => `\n${explanationOf(operation, body)}`);
  command.action(async (options: Record<string, string>, current: Command) => {
    const session = openSession(terminal, current.optsWithGlobals<GlobalOptions>());
    const input =
      options['body'] === undefined ? {} : { body: await readBody(terminal, options['body']) };
    const args = {
      ...(params.length > 0 && { params: valuesOf(params, options) }),
      ...(query.length > 0 && { query: valuesOf(query, options) }),
      ...input,
    };
    const { ifMatch: etag, idempotencyKey } = options;
    const callOptions = {
      ...(etag !== undefined && { ifMatch: etag }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    const data = (await call(session, id, [args, callOptions])) ?? null;
    const text = typeof data === 'string' ? data : jsonOf(data, 2);
    print(terminal, { isJson: session.isJson, data, text });
  });
}

/** The client's types name each operation; here its name is data. */
type AnyOperation = ((...args: unknown[]) => Promise<unknown>) & {
  readonly url?: (...args: unknown[]) => string;
};

async function call({ api }: Session, id: string, args: unknown[]): Promise<unknown> {
  const [group = '', name = ''] = id.split('.');
  const groups = new Map(Object.entries(api));
  // The table of operations is made from the same contract.
  const operation = (groups.get(group) as Record<string, AnyOperation> | undefined)?.[name];
  if (!operation) throw new Error(`the client has no operation ${id}`);
  // A browser navigates to these; their response is a redirect.
  return operation.url ? operation.url(...args) : operation(...args);
}

function groupOf(id: string): string {
  const [group = ''] = id.split('.');
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}:`;
}

function schemaOf(schema: z.ZodType): JsonSchema {
  // The format of JSON Schema.
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return resolved(whole, whole.$defs ?? {});
}

/** Replaces references to named schemas by the schemas. */
function resolved(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { $ref, ...own } = schema;
  const target = $ref === undefined ? {} : named[$ref.replace('#/$defs/', '')];
  const { properties, anyOf, ...rest }: JsonSchema = { ...target, ...own };
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map((one) => resolved(one, named)) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, resolved(one, named)]),
      ),
    }),
  };
}

function parametersOf(schema: z.ZodType | undefined): Parameter[] {
  const { properties = {}, required = [] } = schema ? schemaOf(schema) : {};
  return Object.entries(properties).map(([name, property]) => ({
    name,
    flag: `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    schema: property,
    isRequired: required.includes(name),
  }));
}

function optionOf({ flag, schema, isRequired }: Parameter): Option {
  const kind = schema.type === 'integer' || schema.type === 'number' ? 'n' : 'value';
  const option = new Option(`${flag} <${kind}>`, schema.description ?? '');
  if (schema.enum) option.choices(schema.enum.map(String));
  return isRequired ? option.makeOptionMandatory() : option;
}

function valuesOf(parameters: readonly Parameter[], options: Record<string, string>): object {
  const given = parameters.flatMap(({ name, schema }) => {
    const text = options[name];
    if (text === undefined) return [];
    const isNumber = schema.type === 'integer' && /^-?\d+$/.test(text);
    return [[name, isNumber ? Number(text) : text] as const];
  });
  return Object.fromEntries(given);
}

function bodyOf({ endpoint }: Operation): z.ZodType | null {
  const body: unknown = endpoint.body;
  return body instanceof z.ZodType ? body : null;
}

/** @throws UsageError if it isn't JSON */
async function readBody(terminal: Terminal, given: string): Promise<unknown> {
  const text = await bodyText(terminal, given);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--body is no JSON: ${error instanceof Error ? error.message : given}`);
  }
}

async function bodyText(terminal: Terminal, given: string): Promise<string> {
  if (given === '-') return readInput(terminal);
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`There is no file ${path}.`);
  });
}

/** What the contract says beyond the options. */
function explanationOf({ endpoint }: Operation, body: z.ZodType | null): string {
  const { access, errors } = endpoint.metadata;
  const permission = access.kind === 'member' ? `members with ${access.permission}` : access.kind;
  const { description } = endpoint;
  return [
    ...(description === '' ? [] : [description, '']),
    `${endpoint.method} ${endpoint.path}`,
    `Access: ${permission}`,
    ...(body ? ['Body:', ...fieldsOf(schemaOf(body))] : []),
    `Errors: ${errors.join(', ')}`,
  ].join('\n');
}

function fieldsOf({ properties, required = [], anyOf }: JsonSchema): string[] {
  if (anyOf) return [...new Set(anyOf.flatMap(fieldsOf))];
  return Object.entries(properties ?? {}).map(([name, schema]) => {
    const kind = schema.enum?.join(' | ') ?? schema.type ?? '';
    const notes = [required.includes(name) ? 'required' : '', schema.description ?? ''];
    return `  ${[name, kind, ...notes].filter((part) => part !== '').join('  ')}`;
  });
}
