import type { createDocument } from 'zod-openapi';

type Document = Pick<ReturnType<typeof createDocument>, 'components'>;

/** A JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const prefix = '#/components/schemas/';

interface Fields {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/**
 * Returns the fields of an object, also of one that is a reference. Of alternatives, they are the fields of all of them, and
 * those are required that each of them requires: not every model provider accepts alternatives as an input.
 *
 * @throws Error for what is no object
 */
export function propertiesOf(schema: JsonSchema, document: Document): Fields {
  const { properties, required = [], anyOf } = resolved(schema, document);
  if (anyOf !== undefined) return fieldsOfAll(anyOf as readonly JsonSchema[], document);
  if (properties === undefined) throw new Error('a schema that is no object has no fields');
  return {
    properties: properties as Record<string, JsonSchema>,
    required: required as readonly string[],
  };
}

function fieldsOfAll(alternatives: readonly JsonSchema[], document: Document): Fields {
  const all = alternatives.map((alternative) => propertiesOf(alternative, document));
  const [first, ...others] = all;
  return {
    properties: Object.fromEntries(
      all.flatMap(({ properties }) =>
        Object.entries(properties).filter(([, field]) => !('not' in field)),
      ),
    ),
    required: (first?.required ?? []).filter((name) =>
      others.every(({ required }) => required.includes(name)),
    ),
  };
}

/** Returns a schema that refers to nothing outside of itself: what it needs of the document is in its `$defs`. */
export function bundled(schema: JsonSchema, document: Document): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  function collect(name: string): void {
    if (name in definitions) return;
    // Entered before its own references, which may lead back to it.
    definitions[name] = {};
    definitions[name] = rewrite(component(name, document), collect);
  }
  const rewritten = rewrite(schema, collect);
  return Object.keys(definitions).length === 0 ? rewritten : { ...rewritten, $defs: definitions };
}

function rewrite(schema: JsonSchema, found: (name: string) => void): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    // Marks for generators, and what only readers of a page look at.
    if (key.startsWith('x-') || (key === 'examples' && Array.isArray(value))) return undefined;
    // OpenAPI has it beyond JSON Schema, with references to its own components.
    if (key === 'discriminator' && Object(value).propertyName !== undefined) return undefined;
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = value.slice(prefix.length);
    found(name);
    return `#/$defs/${name}`;
  }) as JsonSchema;
}

/** Returns what a schema refers to, or itself. */
export function resolved(schema: JsonSchema, document: Document): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? component($ref.slice(prefix.length), document) : schema;
}

function component(name: string, { components }: Document): JsonSchema {
  const schema = components?.schemas?.[name];
  if (schema === undefined) throw new Error(`${name} is not among the schemas of the document`);
  return schema as JsonSchema;
}
