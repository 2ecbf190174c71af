interface RenderedSchema {
  additionalProperties?: unknown;
  properties?: Record<string, unknown>;
  description?: unknown;
  examples?: unknown;
  const?: unknown;
  type?: unknown;
  maximum?: unknown;
  minimum?: unknown;
  anyOf?: unknown;
  propertyNames?: unknown;
  required?: unknown;
  default?: unknown;
  'x-default'?: unknown;
}

/** Leaves out what zod renders and a reader of the document does not need. */
export function simplify({ jsonSchema }: { jsonSchema: RenderedSchema }): void {
  // Answers may gain fields within a major version, so readers must not refuse what they don't know.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // A constant is of its own type.
  if ('const' in jsonSchema) delete jsonSchema.type;
  if (saysAllByItself(jsonSchema)) delete jsonSchema.examples;
  // The introduction describes a page.
  if (isPage(jsonSchema)) delete jsonSchema.description;
  mergeNull(jsonSchema);
  listFields(jsonSchema);
  if ('x-default' in jsonSchema) {
    jsonSchema.default = jsonSchema['x-default'];
    delete jsonSchema['x-default'];
  }
  // Where JavaScript's integers end is no bound of a field.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** An example would only repeat a page's item, one of the listed values, or a single field. */
function saysAllByItself(schema: RenderedSchema): boolean {
  return isPage(schema) || 'enum' in schema || Object.keys(schema.properties ?? {}).length === 1;
}

function isPage({ properties }: RenderedSchema): boolean {
  return properties !== undefined && 'pagination' in properties;
}

/** `{ anyOf: [{ type: 'string' }, { type: 'null' }] }` as `{ type: ['string', 'null'] }`. */
function mergeNull(jsonSchema: RenderedSchema): void {
  if (!Array.isArray(jsonSchema.anyOf) || jsonSchema.anyOf.length !== 2) return;
  const [schema, other] = jsonSchema.anyOf as [RenderedSchema, RenderedSchema];
  if (other.type !== 'null' || typeof schema.type !== 'string' || 'enum' in schema) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { ...schema, ...jsonSchema, type: [schema.type, 'null'] });
}

/** Says each field of a record that has all of its keys; a required field that is nowhere defined is an error to many tools. */
function listFields(schema: RenderedSchema): void {
  const { propertyNames, additionalProperties, required } = schema;
  if (!propertyNames || !Array.isArray(required) || schema.properties) return;
  schema.properties = Object.fromEntries(
    required.map((field: string) => [field, additionalProperties]),
  );
  delete schema.propertyNames;
  delete schema.additionalProperties;
}

const formatsThatSayAll: ReadonlySet<unknown> = new Set(['date-time', 'date']);

/** The same document without patterns that a format, or the schema that is referred to, says already. */
export function withoutPatternsOfFormats<Document>(document: Document): Document {
  const shorten = (_: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('pattern' in value)) return value;
    const isSaid = '$ref' in value || ('format' in value && formatsThatSayAll.has(value.format));
    if (!isSaid) return value;
    const { pattern: _pattern, ...schema } = value;
    return schema;
  };
  return JSON.parse(JSON.stringify(document, shorten)) as Document;
}
