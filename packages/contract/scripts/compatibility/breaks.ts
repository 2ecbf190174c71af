import { breaksOfAccess, breaksOfSecurity } from './access.ts';
import {
  flattened,
  operationsOf,
  resolved,
  type Content,
  type OpenApi,
  type Operation,
  type Schema,
} from './document.ts';
import { breaksOfSchema } from './schemas.ts';
import { breaksOfWebhooks } from './webhooks.ts';

interface Pair {
  readonly name: string;
  readonly known: Operation;
  readonly present: Operation;
}

/**
 * Returns every change from `before` to `after` that breaks a client of `before`, or a receiver of its messages: one
 * line each, with the operation and the field.
 *
 * @param onGrowth - takes a line for each new value of an enumeration in a response: no break, but a client that
 * lists every value has to treat it
 */
export function breaksBetween(
  before: OpenApi,
  after: OpenApi,
  onGrowth?: (line: string) => void,
): string[] {
  const documents = { before, after, ...(onGrowth && { onGrowth }) };
  const presentOperations = operationsOf(after);
  const breaks = [...operationsOf(before)].flatMap(([name, known]) => {
    const present = presentOperations.get(name);
    if (!present) return [`${name}: removed`];
    const pair = { name, known, present };
    return [
      ...breaksOfName(pair),
      ...breaksOfAccess(documents, pair),
      ...breaksOfSecurity(documents, pair),
      ...breaksOfParameters(documents, pair),
      ...breaksOfBody(documents, pair),
      ...breaksOfAnswers(documents, pair),
    ];
  });
  return [...breaks, ...breaksOfWebhooks(documents)];
}

interface Documents {
  readonly before: OpenApi;
  readonly after: OpenApi;
  /** Takes what is new in responses and breaks no client that follows the rules for versions. */
  readonly onGrowth?: (line: string) => void;
}

function breaksOfName({ name, known, present }: Pair): string[] {
  return known.operationId === present.operationId
    ? []
    : [
        `${name}: operationId ${known.operationId ?? 'none'} became ${present.operationId ?? 'none'}`,
      ];
}

function breaksOfParameters(documents: Documents, { name, known, present }: Pair): string[] {
  const before = byPlace(known);
  const after = byPlace(present);
  const removed = [...before.keys()].filter((place) => !after.has(place));
  return [
    ...removed.map((place) => `${name}: ${place} is gone`),
    ...[...after].flatMap(([place, parameter]) => {
      const earlier = before.get(place);
      const isDemanded = parameter.required === true && earlier?.required !== true;
      if (isDemanded) return [`${name}: ${place} is required now`];
      if (!earlier) return [];
      return breaksOfSchema(
        { ...documents, direction: 'request' },
        {
          before: earlier.schema ?? {},
          after: parameter.schema ?? {},
          where: `${name}: ${place}`,
        },
      );
    }),
  ];
}

function byPlace({ parameters = [] }: Operation) {
  return new Map(
    parameters.map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]),
  );
}

function breaksOfBody(documents: Documents, { name, known, present }: Pair): string[] {
  const before = known.requestBody && resolved(documents.before, known.requestBody);
  const after = present.requestBody && resolved(documents.after, present.requestBody);
  if (after?.required === true && before?.required !== true) return [`${name}: a body is required`];
  if (!before) return [];
  if (!after) return [`${name}: takes no body any more`];
  return breaksOfContent({ ...documents, direction: 'request' }, [before, after], `${name}: body`);
}

function breaksOfAnswers(documents: Documents, { name, known, present }: Pair): string[] {
  const after = present.responses ?? {};
  return Object.entries(known.responses ?? {}).flatMap(([status, response]) => {
    const later = after[status];
    if (!later) return [`${name}: status ${status} is gone`];
    if (Number(status) >= 400) {
      return breaksOfCodes(documents, [response, later], `${name}: ${status}`);
    }
    const lostHeaders = Object.keys(response.headers ?? {}).filter(
      (header) => !(header in (later.headers ?? {})),
    );
    return [
      ...lostHeaders.map((header) => `${name}: ${status} without the header ${header}`),
      ...breaksOfContent(
        { ...documents, direction: 'response' },
        [withAnyMessage(documents.before, response), later],
        `${name}: ${status}`,
      ),
    ];
  });
}

/** Texts for people may be reworded, so the text of an envelope counts as any. */
function withAnyMessage(document: OpenApi, response: Content): Content {
  const content = Object.entries(response.content ?? {}).map(([type, { schema = {} }]) => {
    const whole = flattened(document, schema);
    const message = whole.properties?.['message'];
    const worded = { ...whole, properties: { ...whole.properties, message: { type: 'string' } } };
    return [type, { schema: message && 'const' in message ? worded : schema }] as const;
  });
  return { ...response, content: Object.fromEntries(content) };
}

/** New codes are not breaking: a client handles an unknown one by its status. */
function breaksOfCodes(
  { before, after, onGrowth }: Documents,
  [known, present]: readonly [Content, Content],
  where: string,
): string[] {
  const later = codesOf(after, present);
  const lost = codesOf(before, known).filter((code) => !later.includes(code));
  return [
    ...lost.map((code) => `${where}: ${String(code)} is gone`),
    ...breaksOfContent(
      { before, after, direction: 'response', ...(onGrowth && { onGrowth }) },
      [known, present],
      where,
    ),
  ];
}

function codesOf(document: OpenApi, response: Content): readonly unknown[] {
  const schema = response.content?.['application/json']?.schema ?? {};
  const code = flattened(document, schema).properties?.['code'];
  return code ? (flattened(document, code).enum ?? []) : [];
}

function breaksOfContent(
  comparison: Documents & { direction: 'request' | 'response' },
  [before, after]: readonly [Content, Content],
  where: string,
): string[] {
  return Object.entries(before.content ?? {}).flatMap(([type, { schema: known = {} }]) => {
    const present: Schema | undefined = after.content?.[type]?.schema;
    if (!present) return [`${where}: ${type} is gone`];
    return breaksOfSchema(comparison, { before: known, after: present, where });
  });
}
