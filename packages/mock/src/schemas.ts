import openApi from '@atelier/contract/openapi.json' with { type: 'json' };

/** What of JSON Schema the contract's document uses for answers. */
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

interface Written {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json'?: { schema: Schema } } }>
  >;
}

// The committed document is what the contract's generator writes.
const { paths, components } = openApi as unknown as {
  paths: Record<string, Record<string, Written>>;
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

/** Schema of the body that a success of the operation has; null for a redirect. */
export function successSchemaOf(operationId: string): Schema | null {
  return successes.get(operationId)?.content?.['application/json']?.schema ?? null;
}

/** A schema of the contract by its name. */
export function namedSchema(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema that is referred to, with the fields of everything it consists of. */
export function wholeSchema(schema: Schema): Schema {
  const { $ref, ...beside } = schema;
  const named = $ref ? components.schemas[nameOf(schema)] : undefined;
  const { allOf, ...own }: Schema = { ...named, ...beside };
  return (allOf ?? []).map(wholeSchema).reduceRight<Schema>(
    (whole, part) => ({
      ...part,
      ...whole,
      properties: { ...part.properties, ...whole.properties },
      required: [...(part.required ?? []), ...(whole.required ?? [])],
    }),
    own,
  );
}

/** Name of the schema that is referred to; empty where none is. */
export function nameOf({ $ref }: Schema): string {
  return $ref?.split('/').at(-1) ?? '';
}
