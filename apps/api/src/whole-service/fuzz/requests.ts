import { gzipSync } from 'node:zlib';
import type { Operation } from '@atelier/contract';
import fc, { type Arbitrary } from 'fast-check';
import type { Input } from '../../testing/feature-fixtures.ts';
import { hostileBody } from './bodies.ts';
import { hostileText, jsonSchemaOf, resolved } from './hostile-values.ts';

/** A request as bytes; every part may be wrong. */
export interface FuzzRequest {
  /** The operation that it was generated from. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** The caller, and inputs that succeed for each operation. */
export interface FuzzFixtures {
  readonly token: string;
  /** An API key of the same account, with every scope. */
  readonly key: string;
  readonly organizationId: string;
  inputsOf(operation: Operation): readonly Input[];
}

/** Generates a request to any of the operations: valid except for one to three hostile places. */
export function fuzzRequests(
  operations: readonly Operation[],
  fixtures: FuzzFixtures,
): Arbitrary<FuzzRequest> {
  return fc.oneof(...operations.map((operation) => requestsTo(operation, fixtures)));
}

/** A part of a request: its valid value, and its hostile ones. */
interface Place {
  readonly name: string;
  readonly valid: Arbitrary<Part>;
  readonly hostile: Arbitrary<Part>;
}

/** The contribution of a place to the request. */
interface Part {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly method?: string;
}

function requestsTo(operation: Operation, fixtures: FuzzFixtures): Arbitrary<FuzzRequest> {
  const inputs = fixtures.inputsOf(operation);
  return fc.constantFrom(...inputs).chain((input) => {
    const places = placesOf(operation, fixtures, input);
    return fc
      .subarray(places, { minLength: 1, maxLength: 3 })
      .chain((hostile) =>
        fc.tuple(...places.map((place) => (hostile.includes(place) ? place.hostile : place.valid))),
      )
      .map((parts) => assemble(operation, parts));
  });
}

function placesOf({ endpoint }: Operation, fixtures: FuzzFixtures, input: Input): Place[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
  const takesOrganization = 'x-organization-id' in endpoint.headers;
  return [
    ...names.map((name) => pathPlace(name, String(input.params?.[name] ?? 'x'))),
    ...queryPlaces(endpoint.query, input),
    {
      name: 'authorization',
      valid: fc.constant({ headers: { authorization: `Bearer ${fixtures.token}` } }),
      hostile: hostileAuthorization(fixtures).map((authorization) => ({
        headers: { authorization },
      })),
    },
    {
      name: 'x-organization-id',
      valid: fc.constant(
        takesOrganization ? { headers: { 'x-organization-id': fixtures.organizationId } } : {},
      ),
      hostile: headerText.map((text) => ({ headers: { 'x-organization-id': text } })),
    },
    { name: 'headers', valid: fc.constant({}), hostile: oddHeaders(endpoint.headers) },
    { name: 'method', valid: fc.constant({}), hostile: oddMethods },
    bodyPlace(endpoint, input),
  ];
}

const badSegments = [
  '',
  '.',
  '..',
  '%2e%2e%2f',
  '%',
  '%z',
  '%zz',
  '%00',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%F0%9F%98%80',
  '%25',
  '%252e',
  '%2F',
  ';x=y',
  'x?y',
  '%3f',
  '#x',
  '*',
  ':id',
  'x'.repeat(600),
  '%61'.repeat(171),
  '\u00ff',
  '1.5',
  '-1',
  '99999999999999999999',
  '0',
];

/** Percent-encodes text; lone surrogates, which can't be encoded, become their would-be bytes. */
function encoded(text: string): string {
  return text.replaceAll(/[\s\S]/gu, (letter) =>
    letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80',
  );
}

/** The server refuses longer targets as a whole, which has its own cases. */
const maxTargetLength = 4000;

function pathPlace(name: string, valid: string): Place {
  return {
    name: `params.${name}`,
    valid: fc.constant({ params: { [name]: encodeURIComponent(valid) } }),
    hostile: fc
      .oneof(
        fc.constantFrom(...badSegments),
        hostileText({ maxLength: 64 }).map((text) => encoded(text).slice(0, maxTargetLength)),
        fc.uuid(),
        fc.constantFrom(valid.toUpperCase(), `${valid}%20`, `${valid}/`, `%7b${valid}%7d`),
      )
      .map((text) => ({ params: { [name]: text } })),
  };
}

function queryPlaces(query: unknown, input: Input): Place[] {
  const schema = jsonSchemaOf(query);
  const known = schema ? Object.entries(resolved(schema, schema.$defs ?? {}).properties ?? {}) : [];
  const places = known.map(([name, property]): Place => {
    const valid = input.query?.[name];
    const pair = valid === undefined ? '' : `${name}=${encodeURIComponent(String(valid))}`;
    const text = hostileText(resolved(property, schema?.$defs ?? {})).map((value) =>
      encoded(value).slice(0, maxTargetLength),
    );
    return {
      name: `query.${name}`,
      valid: fc.constant({ query: pair }),
      hostile: fc.oneof(
        fc.tuple(fc.constant(name), text).map(([key, value]) => ({ query: `${key}=${value}` })),
        fc.constantFrom(...oddPairs(name, pair)).map((odd) => ({ query: odd })),
      ),
    };
  });
  const unknown = fc
    .constantFrom(...oddPairs('unknown', ''), ...oddPairs('__proto__', ''))
    .map((odd) => ({ query: odd }));
  return [...places, { name: 'query', valid: fc.constant({}), hostile: unknown }];
}

const oddPairs = (name: string, pair: string) => [
  name,
  `${name}=`,
  `${name}==`,
  `${name}=1&${name}=2`,
  `${pair}&${pair}`,
  `${pair}&${name}=x`,
  `${name}[]=1`,
  `${name}[0]=1&${name}[1]=2`,
  `${name}[__proto__][x]=1`,
  `${name}[constructor]=1`,
  `${name}=%`,
  `${name}=%zz`,
  `${name}=%ff%fe`,
  `${name}=%00`,
  `${name}=1e3`,
  `${name}=-1`,
  `${name}=0`,
  `${name}=1.0`,
  `${name}=%2B1`,
  `${name}=+1`,
  `${name}=999999999999999`,
  `${name}=9007199254740993`,
  `&&&${name}`,
  Array.from({ length: 500 }, (_, index) => `${name}=${index}`).join('&'),
];

/** Values that an HTTP client can send in a header. */
const headerText = fc
  .oneof(
    hostileText({ maxLength: 255 }),
    fc.constantFrom('"x"', '*', '"', 'W/"x"', '"x", "y"', '""', ',', '\t', '\u00ff', '"\u00e9"'),
    fc.uuid(),
  )
  .map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 6000));

function hostileAuthorization({ token, key }: FuzzFixtures): Arbitrary<string> {
  const [head = '', ...rest] = token.split('.');
  return fc.oneof(
    headerText,
    headerText.map((text) => `Bearer ${text}`),
    fc.constantFrom(
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `bearer ${token}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token}.`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${[head.toLowerCase(), ...rest].join('.')}`,
      `Bearer ${[Buffer.from('{"alg":"none"}').toString('base64url'), ...rest].join('.')}`,
      `Bearer ${[Buffer.from('{"alg":"dir","enc":"A256GCM","zip":"DEF"}').toString('base64url'), ...rest].join('.')}`,
      `Bearer ${'.'.repeat(5)}`,
      `Bearer ${'A'.repeat(8000)}`,
      `Bearer ${key}`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.replace('_pat_', '_svc_')}`,
      `Bearer ${key} ${token}`,
      'Bearer atl_',
    ),
  );
}

const otherHeaders = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-language',
  'cookie',
  'expect',
  'forwarded',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'max-forwards',
  'origin',
  'prefer',
  'range',
  'referer',
  'te',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-original-url',
  'x-request-id',
];

function oddHeaders(declared: Readonly<Record<string, unknown>>): Arbitrary<Part> {
  const names = [...otherHeaders.filter((name) => name !== 'expect'), ...Object.keys(declared)];
  return fc
    .dictionary(fc.constantFrom(...names), headerText, { minKeys: 1, maxKeys: 3 })
    .map((headers) => ({ headers: { ...headers } }));
}

const oddMethods: Arbitrary<Part> = fc
  .constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND')
  .map((method) => ({ method }));

const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;',
  'application/json; charset',
  'APPLICATION/JSON',
  'application/merge-patch+json',
  'application/jsonx',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=' + 'x'.repeat(100),
  'application/octet-stream',
  'image/png',
  '*/*',
  '',
  ';',
  'x',
  'a/b/c',
  'application/json, text/plain',
  '\u00ff',
];

function bodyPlace(endpoint: Operation['endpoint'], input: Input): Place {
  const json = { 'content-type': 'application/json' };
  const valid: Part =
    input.body === undefined
      ? {}
      : { headers: json, body: Buffer.from(JSON.stringify(input.body)) };
  const bodies = hostileBody(jsonSchemaOf(endpoint.body) ?? {}, input.body);
  return {
    name: 'body',
    valid: fc.constant(valid),
    hostile: fc.oneof(
      { weight: 8, arbitrary: bodies.map((body) => ({ headers: json, body })) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(...contentTypes), bodies)
          .map(([type, body]) => ({ headers: { 'content-type': type }, body })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('gzip', 'deflate', 'br', 'x', 'identity'), bodies)
          .map(([coding, body]) => ({
            headers: { ...json, 'content-encoding': coding },
            body: gzipSync(body),
          })),
      },
    ),
  };
}

function assemble({ id, endpoint }: Operation, parts: readonly Part[]): FuzzRequest {
  const params = Object.assign({}, ...parts.map((part) => part.params)) as Record<string, string>;
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  const query = parts.flatMap((part) => part.query || []).join('&');
  return {
    operation: id,
    method: parts.findLast((part) => part.method)?.method ?? endpoint.method,
    // A client sends no fragment and no blank.
    path: (query ? `${path}?${query}` : path).replaceAll(/[#\s]/g, '%23'),
    headers: Object.assign({}, ...parts.map((part) => part.headers)) as Record<string, string>,
    body: parts.findLast((part) => part.body)?.body ?? null,
  };
}
