import type { z } from 'zod/v4';
import type { Permission } from './access.ts';
import type { ResourceType } from './activity.ts';
import type { Endpoint } from './endpoint.ts';
import type { ValidationIssue } from './error-body.ts';
import type { Effect } from './scopes.ts';
import type { Target } from './targets.ts';
import type { ArgumentPlace, ToolDeclaration } from './tool-declaration.ts';

/** The arguments of a call, by name. */
export type ToolArguments = Readonly<Record<string, unknown>>;

type TextPlace = Exclude<ArgumentPlace, 'body'>;

/** The arguments of a call, by where they belong in the request. */
export interface CallParts extends Readonly<Record<TextPlace, Readonly<Record<string, string>>>> {
  readonly body: ToolArguments;
}

/** The arguments of a call can't become a request. The message is for the model. */
export class ToolArgumentsError extends Error {}

/** Returns what a call does: a tool may show data to outsiders with one of its arguments only. */
export function effectOfCall(
  { effect, disclosesWith }: Pick<ToolDeclaration, 'effect' | 'disclosesWith'>,
  given: ToolArguments,
): Effect {
  const isShown = disclosesWith !== null && (given[disclosesWith] ?? null) !== null;
  return isShown ? 'disclose' : effect;
}

/**
 * Sorts the arguments of a call into the parts of its request, which validates their values.
 *
 * @throws ToolArgumentsError for an argument that the tool doesn't have, and for one of the path, the query or a header
 *   that is no text, or can't be sent
 */
export function partsOfCall(
  { name, places }: Pick<ToolDeclaration, 'name' | 'places'>,
  given: ToolArguments,
): CallParts {
  const texts: Record<TextPlace, Record<string, string>> = { path: {}, query: {}, header: {} };
  const body: Record<string, unknown> = {};
  for (const [argument, value] of Object.entries(given)) {
    // Objects inherit properties such as `constructor`.
    const place = Object.hasOwn(places, argument) ? places[argument] : undefined;
    if (place === undefined) {
      const known = Object.keys(places).join(', ') || 'none';
      throw new ToolArgumentsError(`${name} has no argument ${argument}; its arguments: ${known}`);
    }
    if (value === undefined) continue;
    if (place === 'body') body[argument] = value;
    else if (value !== null) texts[place][argument] = textOf(value, { argument, place });
  }
  const missing = Object.entries(places).find(
    ([argument, place]) => place === 'path' && !isSegment(texts.path[argument]),
  );
  if (missing) throw new ToolArgumentsError(`${name} needs the argument ${missing[0]}`);
  return { ...texts, body };
}

/** What a header can carry: over the network, blanks at its ends would be cut off. */
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function textOf(
  value: unknown,
  { argument, place }: { readonly argument: string; readonly place: TextPlace },
): string {
  const type = typeof value;
  if (type !== 'string' && type !== 'number' && type !== 'boolean') {
    throw new ToolArgumentsError(`Invalid ${argument}: expected a text, a number or a boolean`);
  }
  const text = String(value);
  // Half of a surrogate pair can't be encoded.
  if (!text.isWellFormed()) {
    throw new ToolArgumentsError(`Invalid ${argument}: expected a text of whole characters`);
  }
  if (place === 'header' && !headerValue.test(text)) {
    throw new ToolArgumentsError(
      `Invalid ${argument}: expected printable ASCII characters, without blanks at the ends`,
    );
  }
  return text;
}

/** An empty segment of a path, or one of dots, would reach another operation. */
function isSegment(value: string | undefined): boolean {
  return value !== undefined && !/^\.{0,2}$/.test(value);
}

/** Validates the arguments of a call that is itself the body of a request, at `arguments`; at most 50 issues of each part. */
export function issuesOfCall(
  { pathParams, query, body }: Pick<Endpoint, 'pathParams' | 'query' | 'body'>,
  parts: CallParts,
): ValidationIssue[] {
  return [
    ...issuesIn(pathParams, parts.path),
    ...issuesIn(query, parts.query),
    ...issuesIn(body, parts.body),
  ];
}

/** The schemas of the general type of an operation are of any kind; an operation without one reads nothing there. */
function issuesIn(schema: unknown, input: unknown): ValidationIssue[] {
  const parsed = (schema as z.ZodType | null | undefined)?.safeParse(input);
  return (parsed?.error?.issues ?? []).slice(0, 50).map(({ path, code, message }) => ({
    in: 'body',
    path: ['arguments', ...path.map((step) => (typeof step === 'number' ? step : String(step)))],
    code,
    message,
  }));
}

/** A record of the organization that an argument of a call identifies. */
export interface NamedRecord {
  readonly argument: string;
  readonly resourceType: ResourceType;
  readonly id: string;
  /** What the call needs on it. */
  readonly permission: Permission;
}

/** Lists the records that the arguments of a call identify. */
export function recordsOfCall(
  { metadata }: Pick<Endpoint, 'metadata'>,
  { path, body }: CallParts,
): NamedRecord[] {
  return Object.entries<Target>(metadata.targets).flatMap(([field, target]) => {
    if (target.kind !== 'record') return [];
    const { resource: resourceType, permission } = target;
    const [part = '', argument = ''] = field.split('.');
    return [(part === 'params' ? path : body)[argument]]
      .flat()
      .filter((id) => typeof id === 'string')
      .map((id) => ({ argument, resourceType, id, permission }));
  });
}

/** Returns the same JSON for equal calls: two clients may write one in different orders of its fields. */
export function identityOfCall(
  { name }: Pick<ToolDeclaration, 'name'>,
  given: ToolArguments,
): string {
  return JSON.stringify([name, given], (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
