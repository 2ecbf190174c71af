import type { createDocument } from 'zod-openapi';

type Document = ReturnType<typeof createDocument>;
type Schema = NonNullable<NonNullable<Document['components']>['schemas']>[string];
type Schemas = Readonly<Record<string, Schema>>;

interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Fewer fields in common are said twice: `allOf` costs a reader more than they do. */
const fewestSharedFields = 6;

/** Writes a named object that has every field of another one as that one and its own fields. */
export function shareFields(document: Document): Document {
  const schemas = document.components?.schemas ?? {};
  const shared = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, extending(name, schema, schemas)]),
  );
  return { ...document, components: { ...document.components, schemas: shared } };
}

function extending(name: string, schema: Schema, schemas: Schemas): Schema {
  if (!isObjectSchema(schema)) return schema;
  const base = baseOf(name, schema, schemas);
  if (!base) return schema;
  const [baseName, { properties: inherited, required: inheritedRequired }] = base;
  const { type: _, properties, required, ...about }: ObjectSchema = schema;
  const ownRequired = (required ?? []).filter((field) => !inheritedRequired?.includes(field));
  const own = {
    properties: Object.fromEntries(
      Object.entries(properties).filter(([field, one]) => !isSame(one, inherited[field])),
    ),
    ...(ownRequired.length > 0 && { required: ownRequired }),
  };
  return { allOf: [{ $ref: `#/components/schemas/${baseName}` }, own], ...about };
}

/** The largest one that `schema` has every field of. */
function baseOf(name: string, schema: ObjectSchema, schemas: Schemas) {
  return Object.entries(schemas)
    .filter(
      (entry): entry is [string, Schema & ObjectSchema] =>
        entry[0] !== name && isObjectSchema(entry[1]),
    )
    .filter(([, candidate]) => extendsIt(schema, candidate))
    .toSorted(([, one], [, other]) => size(other) - size(one))
    .at(0);
}

function extendsIt(schema: ObjectSchema, base: ObjectSchema): boolean {
  return (
    size(base) >= fewestSharedFields &&
    size(base) < size(schema) &&
    (base.required ?? []).every((field) => schema.required?.includes(field)) &&
    Object.entries(base.properties).every(([field, one]) =>
      isSame(withoutText(one), withoutText(schema.properties[field])),
    )
  );
}

function isObjectSchema(schema: Schema): schema is Schema & ObjectSchema {
  return typeof schema === 'object' && 'properties' in schema && schema.type === 'object';
}

function size(schema: ObjectSchema): number {
  return Object.keys(schema.properties).length;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function withoutText(schema: Schema | undefined) {
  return typeof schema === 'object' ? { ...schema, description: undefined } : schema;
}
