import {
  headerArguments,
  maxApprovedArgumentsBytes,
  tools,
  type ArgumentPlace,
  type Permission,
  type ResourceType,
  type Tool,
  type ValidationIssue,
} from '@atelier/contract';
import { z } from 'zod';
import { invalidField, MockFailure } from '../failure.ts';
import { namedSchema, resolvedSchema, type Schema } from '../schemas.ts';
import { isRecord, type Fields } from '../state/store.ts';

/** A call of a tool, valid by the contract. */
export interface ToolCall {
  readonly tool: Tool;
  readonly arguments: Fields;
  /** The same for equal calls, independent of the order of their fields. */
  readonly identity: string;
  /** What its ids name. */
  readonly named: readonly NamedRecord[];
}

export interface NamedRecord {
  readonly argument: string;
  readonly resourceType: ResourceType;
  readonly permission: Permission;
  readonly id: string;
}

const toolByName = new Map(tools.map((tool) => [tool.name, tool]));

/** @throws MockFailure `not_found` for an unknown tool; `validation_failed` for arguments that it doesn't take */
export function toolCallIn({ tool: name, arguments: given }: Fields): ToolCall {
  const tool = toolByName.get(String(name));
  if (!tool || !isRecord(given)) throw new MockFailure('not_found');
  const { effect, disclosesWith } = tool.endpoint.metadata;
  const isShown = disclosesWith !== null && (given[disclosesWith] ?? null) !== null;
  if (!isShown && (effect === 'read' || effect === 'change')) {
    throw invalidField(['tool'], 'invalid_value', `Invalid tool: ${tool.name} needs no approval`);
  }
  if (new TextEncoder().encode(JSON.stringify(given)).length > maxApprovedArgumentsBytes) {
    const message = `Invalid arguments: expected at most ${maxApprovedArgumentsBytes} bytes of JSON`;
    throw invalidField(['arguments'], 'too_big', message);
  }
  const parts = partsOf(tool, given);
  const { pathParams, query, body } = tool.endpoint;
  const errors = [
    ...issuesIn(pathParams, parts.path),
    ...issuesIn(query, parts.query),
    ...issuesIn(body, parts.body),
  ];
  if (errors.length > 0) throw new MockFailure('validation_failed', { errors });
  const identity = canonical([name, given]);
  return { tool, arguments: given, identity, named: recordsIn(tool, parts) };
}

type Parts = Record<ArgumentPlace, Fields>;

function partsOf(tool: Tool, given: Fields): Parts {
  const places = placesOf(tool);
  const parts: Parts = { path: {}, query: {}, header: {}, body: {} };
  for (const [argument, value] of Object.entries(given)) {
    const place = places.get(argument);
    if (!place) {
      const known = [...places.keys()].join(', ') || 'none';
      throw invalidArgument(`${tool.name} has no argument ${argument}; its arguments: ${known}`);
    }
    if (value === null && place !== 'body') continue;
    parts[place][argument] = place === 'body' ? value : textIn(argument, place, value);
  }
  return parts;
}

/** What a header can carry: printable ASCII, without blanks at the ends. */
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** Half of a surrogate pair. */
const half = /\p{Surrogate}/u;

function textIn(argument: string, place: ArgumentPlace, value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) {
    throw invalidArgument(`Invalid ${argument}: expected a text, a number or a boolean`);
  }
  const text = String(value);
  if (half.test(text)) {
    throw invalidArgument(`Invalid ${argument}: expected a text of whole characters`);
  }
  if (place === 'header' && !headerValue.test(text)) {
    const message = 'expected printable ASCII characters, without blanks at the ends';
    throw invalidArgument(`Invalid ${argument}: ${message}`);
  }
  return text;
}

function invalidArgument(message: string): MockFailure {
  return invalidField(['arguments'], 'invalid_value', message);
}

const argumentsByHeader: Readonly<Record<string, string>> = headerArguments;

function placesOf({ endpoint }: Tool): ReadonlyMap<string, ArgumentPlace> {
  const headers = Object.keys(endpoint.headers).flatMap((name) => argumentsByHeader[name] ?? []);
  const names: readonly (readonly [ArgumentPlace, readonly string[]])[] = [
    ['path', Object.keys(endpoint.pathParams?.shape ?? {})],
    ['query', endpoint.query instanceof z.ZodObject ? Object.keys(endpoint.query.shape) : []],
    ['header', headers],
    ['body', bodyFieldsOf(endpoint.body)],
  ];
  return new Map(names.flatMap(([place, found]) => found.map((name) => [name, place])));
}

function bodyFieldsOf(body: unknown): string[] {
  const name = body instanceof z.ZodType ? body.meta()?.id : undefined;
  return name === undefined ? [] : fieldsOf(namedSchema(name));
}

function fieldsOf(schema: Schema): string[] {
  const { properties = {}, anyOf = [] } = resolvedSchema(schema);
  return [...Object.keys(properties), ...anyOf.flatMap(fieldsOf)];
}

function issuesIn(schema: unknown, input: unknown): ValidationIssue[] {
  const parsed = schema instanceof z.ZodType ? schema.safeParse(input) : null;
  return (parsed?.error?.issues ?? []).map(({ path, code, message }) => ({
    in: 'body',
    path: ['arguments', ...path.map((step) => (typeof step === 'number' ? step : String(step)))],
    code,
    message,
  }));
}

function recordsIn({ endpoint }: Tool, parts: Parts): NamedRecord[] {
  return Object.entries(endpoint.metadata.targets).flatMap(([field, target]) => {
    if (target.kind !== 'record') return [];
    const { resource: resourceType, permission } = target;
    const [part, argument = ''] = field.split('.');
    return [(part === 'params' ? parts.path : parts.body)[argument]]
      .flat()
      .filter((id) => typeof id === 'string')
      .map((id) => ({ argument, resourceType, permission, id }));
  });
}

/** JSON with sorted names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
