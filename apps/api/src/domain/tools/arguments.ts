import {
  headerArguments,
  type ArgumentPlace,
  type Effect,
  type OperationId,
  type ToolDeclaration,
} from '@atelier/contract';

/** The headers that arguments become. */
const headerNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(headerArguments).map(([header, argument]) => [argument, header]),
);

/** A request to an operation of the contract, made within this process. */
export interface ApiRequest {
  readonly operation: OperationId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Returns what a call does: a tool may show data to outsiders with one of its arguments only. */
export function effectOfCall(
  { effect, disclosesWith }: Pick<ToolDeclaration, 'effect' | 'disclosesWith'>,
  given: Readonly<Record<string, unknown>>,
): Effect {
  const isShown = disclosesWith !== null && (given[disclosesWith] ?? null) !== null;
  return isShown ? 'disclose' : effect;
}

/** The arguments of a call can't become a request. The message is for the model. */
export class ArgumentsError extends Error {}

/**
 * Sorts the arguments of a call into the parts of its request, which validates their values.
 *
 * @throws ArgumentsError for an argument that the tool doesn't have, and for one of the path, the query or a header
 *   that is no text, or can't be sent
 */
export function requestOf(
  { name, operation, places }: ToolDeclaration,
  given: Readonly<Record<string, unknown>>,
): ApiRequest {
  const parts: Record<ArgumentPlace, Record<string, unknown>> = {
    path: {},
    query: {},
    header: {},
    body: {},
  };
  for (const [argument, value] of Object.entries(given)) {
    // Objects inherit properties such as `constructor`.
    const place = Object.hasOwn(places, argument) ? places[argument] : undefined;
    if (place === undefined) {
      const known = Object.keys(places).join(', ') || 'none';
      throw new ArgumentsError(`${name} has no argument ${argument}; its arguments: ${known}`);
    }
    if (value === undefined || (value === null && place !== 'body')) continue;
    parts[place][argument] = place === 'body' ? value : valueOf(argument, place, value);
  }
  const missing = Object.entries(places).find(
    ([argument, place]) => place === 'path' && !isSegment(parts.path[argument]),
  );
  if (missing) throw new ArgumentsError(`${name} needs the argument ${missing[0]}`);
  return {
    operation,
    // All of them are texts.
    params: parts.path as Record<string, string>,
    query: parts.query as Record<string, string>,
    headers: Object.fromEntries(
      Object.entries(parts.header).map(([argument, value]) => [
        headerNames[argument] ?? argument,
        value as string,
      ]),
    ),
    ...(Object.values(places).includes('body') && { body: parts.body }),
  };
}

/** What a header can carry: over the network, blanks at its ends would be cut off. */
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function valueOf(argument: string, place: ArgumentPlace, value: unknown): string {
  const type = typeof value;
  if (type !== 'string' && type !== 'number' && type !== 'boolean') {
    throw new ArgumentsError(`Invalid ${argument}: expected a text, a number or a boolean`);
  }
  const text = String(value);
  // Half of a surrogate pair can't be encoded.
  if (!text.isWellFormed()) {
    throw new ArgumentsError(`Invalid ${argument}: expected a text of whole characters`);
  }
  if (place === 'header' && !headerValue.test(text)) {
    throw new ArgumentsError(
      `Invalid ${argument}: expected printable ASCII characters, without blanks at the ends`,
    );
  }
  return text;
}

/** An empty segment of a path, or one of dots, would reach another operation. */
function isSegment(value: unknown): boolean {
  return typeof value === 'string' && !/^\.{0,2}$/.test(value);
}
