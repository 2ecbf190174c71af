/** The parts of the OpenAPI document that the page reads. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Messages;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
  };
}

type PathItem = { readonly parameters?: readonly Parameter[] } & Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly $ref?: string;
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface DocumentedResponse {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: {
    readonly 'application/json'?: { readonly schema: Schema };
    /** The schema of one message. */
    readonly 'text/event-stream'?: { readonly schema: Schema };
  };
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: object;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface MessageOperation {
  readonly summary: string;
  readonly parameters: readonly { readonly $ref: string }[];
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly allOf: readonly [{ readonly $ref: string }, object] };
      };
    };
  };
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

/** The messages of webhooks, by event. */
type Messages = Readonly<Record<string, { readonly post: MessageOperation }>>;

/** An operation with all references resolved. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly responses: readonly (readonly [status: number, response: DocumentedResponse])[];
}

interface WrittenOperation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { 'application/json': { schema: Schema } } };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const written = item[method] as WrittenOperation | undefined;
      return written ? [operationOf(document, { method, path, item, written })] : [];
    }),
  );
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly item: PathItem;
  readonly written: WrittenOperation;
}

function operationOf(document: OpenApi, { method, path, item, written }: Place): Operation {
  const { parameters, responses } = document.components;
  return {
    id: written.operationId,
    method: method.toUpperCase(),
    path,
    tag: written.tags[0],
    summary: written.summary,
    description: written.description,
    isPublic: written.security?.length === 0,
    parameters: [...(item.parameters ?? []), ...(written.parameters ?? [])].map(
      (one) => parameters[nameIn(one)] ?? one,
    ),
    body: written.requestBody?.content['application/json'].schema ?? null,
    responses: Object.entries(written.responses).map(
      ([status, response]) => [Number(status), responses[nameIn(response)] ?? response] as const,
    ),
  };
}

/** Schema of a message, where the response is a stream. */
export function messageSchemaOf({ responses }: Pick<Operation, 'responses'>): Schema | null {
  const [first] = responses;
  return first?.[1].content?.['text/event-stream']?.schema ?? null;
}

/** Name of the referenced component; empty without a reference. */
export function nameIn({ $ref }: { readonly $ref?: string }): string {
  return $ref?.split('/').at(-1) ?? '';
}

/** The pages of schemas below `/docs`, each with the names from its first letter on: one of all would be too large. */
export const schemaPages = [
  { name: 'schemas', title: 'Schemas, A to N', from: '' },
  { name: 'schemas-o-z', title: 'Schemas, O to Z', from: 'O' },
] as const;

type SchemaPage = (typeof schemaPages)[number];

/** Whether a page explains the schema of a name. */
export function explains({ name: page }: SchemaPage, name: string): boolean {
  return schemaPages.findLast(({ from }) => name >= from)?.name === page;
}

/** The address of a schema's explanation. */
export function addressOfSchema(name: string): string {
  const page = schemaPages.find((one) => explains(one, name));
  return `/docs/${page?.name ?? ''}#schema-${name}`;
}

/** A schema merged with the fields of its parts. */
export function wholeSchema(document: OpenApi, schema: Schema): Schema {
  const { $ref: _, ...beside } = schema;
  const named = schema.$ref ? document.components.schemas[nameIn(schema)] : undefined;
  const { allOf, ...own }: Schema = { ...named, ...beside };
  return (allOf ?? [])
    .map((part) => wholeSchema(document, part))
    .reduceRight<Schema>(
      (whole, part) => ({
        ...part,
        ...whole,
        properties: { ...part.properties, ...whole.properties },
        required: [...(part.required ?? []), ...(whole.required ?? [])],
      }),
      own,
    );
}
