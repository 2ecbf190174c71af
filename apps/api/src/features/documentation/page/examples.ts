import {
  messageSchemaOf,
  wholeSchema,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
} from './document.ts';

/** Returns an example value of a schema, the contract's own if there is one. */
export function exampleOf(document: OpenApi, schema: Schema): unknown {
  const whole = wholeSchema(document, schema);
  const [example] = whole.examples ?? [];
  if (example !== undefined) return example;
  if ('const' in whole) return whole.const;
  if (whole.default !== undefined) return whole.default;
  if (whole.enum) return whole.enum[0];
  const [choice] = whole.anyOf ?? whole.oneOf ?? [];
  if (choice) return exampleOf(document, choice);
  if (whole.items) return [exampleOf(document, whole.items)];
  if (whole.properties) {
    return Object.fromEntries(
      Object.entries(whole.properties)
        .filter(([, field]) => field.not === undefined)
        .map(([name, field]) => [name, exampleOf(document, field)]),
    );
  }
  return exampleOfType(whole);
}

function exampleOfType({ type, minimum = 1, format }: Schema): unknown {
  const [first] = typeof type === 'string' ? [type] : (type ?? []);
  if (first === 'integer' || first === 'number') return Math.max(1, minimum);
  if (first === 'boolean') return true;
  if (first === 'object') return {};
  if (first !== 'string') return null;
  return format === 'date-time' ? '2026-11-21T09:30:00.000Z' : 'text';
}

/** What an example is made of. */
export interface Sample {
  readonly document: OpenApi;
  readonly operation: Operation;
  /** Public address of the service. */
  readonly baseUrl: string;
}

/** Formats the request as a curl command. */
export function curlExample({ document, operation, baseUrl }: Sample): string {
  const { method, isPublic, body, parameters } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name, schema }) => `${name}=${String(exampleOf(document, schema))}`)
    .join('&');
  const address = `${baseUrl}${filledPath(document, operation)}${query && `?${query}`}`;
  const takesKey = parameters.some(({ name }) => name === 'idempotency-key');
  const options = [
    // Otherwise curl would buffer the messages.
    messageSchemaOf(operation) && '-N ',
    method !== 'GET' && `-X ${method} `,
  ].filter(Boolean);
  return [
    `curl ${options.join('')}'${address}'`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(takesKey ? [`-H "Idempotency-Key: $(openssl rand -hex 16)"`] : []),
    ...(body
      ? [`-H 'Content-Type: application/json'`, `-d '${quoted(exampleOf(document, body))}'`]
      : []),
  ].join(' \\\n  ');
}

function quoted(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll("'", String.raw`'\''`)
    .replaceAll('\n', '\n  ');
}

function filledPath(document: OpenApi, { path, parameters }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(parameter ? filledParameter(document, parameter) : name);
  });
}

/** Returns an example of a parameter: its name, if the contract has none. */
export function filledParameter(document: OpenApi, { name, schema }: Parameter): string {
  const example = exampleOf(document, schema);
  return example === 'text' ? name : String(example);
}

/** Formats a message of each kind as it is sent. */
export function streamExample(document: OpenApi, message: Schema): string {
  const { oneOf = [] } = wholeSchema(document, message);
  return oneOf
    .map((kind) => {
      const { event, data } = wholeSchema(document, kind).properties ?? {};
      const example = JSON.stringify(exampleOf(document, data ?? {}));
      return `event: ${String(event?.const)}\ndata: ${example}\n`;
    })
    .join('\n');
}

const subscribing = `import { subscribe } from '@atelier/client/events';

for await (const { event, data } of subscribe(api)) {
  console.log(event, data);
}`;

/** Formats the request with `@atelier/client`. */
export function clientExample({ document, operation }: Sample): string {
  // Not the plain request: this reconnects, and parses.
  if (messageSchemaOf(operation)) return subscribing;
  const { id, body, responses, parameters } = operation;
  const of = (place: string) =>
    parameters.filter(
      (parameter) => parameter.in === place && (place === 'path' || parameter.required === true),
    );
  const args = {
    ...(of('path').length > 0 && { params: fields(document, of('path')) }),
    ...(of('query').length > 0 && { query: fields(document, of('query')) }),
    ...(body && { body: exampleOf(document, body) }),
  };
  const argument = Object.keys(args).length > 0 ? literal(args) : '';
  const isNavigation = responses.some(([status]) => status === 302);
  return isNavigation
    ? `location.assign(api.${id}.url(${argument}));`
    : `const response = await api.${id}(${argument});`;
}

function fields(document: OpenApi, parameters: Operation['parameters']) {
  return Object.fromEntries(
    parameters.map(({ name, schema }) => {
      const example = exampleOf(document, schema);
      return [name, example === 'text' ? name : example];
    }),
  );
}

/** Formats a value as TypeScript. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/"([A-Za-z_]\w*)":/g, '$1:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'");
}
