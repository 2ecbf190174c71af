import openApi from '@atelier/contract/openapi.json' with { type: 'json' };

/** The subset of JSON Schema that the contract's document uses for responses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json'?: { schema: Schema } } }>
  >;
}

// The contract's generator writes the committed document.
const { paths, components } = openApi as unknown as {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
};

const successes = new Map(
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter((operation) => operation.operationId)
    .map(({ operationId, responses }) => [
      operationId,
      responses['200'] ?? responses['201'] ?? responses['302'],
    ]),
);

/** Returns the schema of the body of a success; null for a redirect. */
export function successSchemaOf(operationId: string): Schema | null {
  return successes.get(operationId)?.content?.['application/json']?.schema ?? null;
}

/** Returns a schema of the contract by name. */
export function namedSchema(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Resolves a reference and merges `allOf` into one schema. */
export function resolvedSchema(schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  const named = $ref ? components.schemas[nameOf(schema)] : undefined;
  const { allOf, ...own }: Schema = { ...named, ...beside };
  return (allOf ?? []).map(resolvedSchema).reduceRight<Schema>(
    (whole, part) => ({
      ...part,
      ...whole,
      properties: { ...part.properties, ...whole.properties },
      required: [...(part.required ?? []), ...(whole.required ?? [])],
    }),
    own,
  );
}

/** Returns the name of the referenced schema; empty without a reference. */
export function nameOf({ $ref }: Schema): string {
  return $ref?.split('/').at(-1) ?? '';
}
