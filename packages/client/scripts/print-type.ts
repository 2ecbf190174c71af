/** The part of JSON Schema that the contract's schemas come out as. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: object;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly description?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** Gives the TypeScript name of a definition. */
export type NameOf = (definition: string) => string;

/**
 * Prints a JSON Schema as a TypeScript type.
 *
 * Own code, because json-schema-to-typescript makes up names for inlined schemas and adds index
 * signatures, quicktype writes classes, and zod's own types don't print: none keeps the contract's
 * names, its doc comments and exact optional properties at once.
 *
 * @throws Error for a schema that it can't express; a wrong type must not be published
 */
export function printType(schema: JsonSchema, nameOf: NameOf): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.replace('#/$defs/', ''));
  if ('const' in schema) return printLiteral(schema.const);
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return printUnion(union.map((member) => printType(member, nameOf)));
  if (schema.enum) return printUnion(schema.enum.map(printLiteral));
  if (schema.not) return 'never';
  if (Array.isArray(schema.type)) {
    return printUnion(schema.type.map((type: string) => printType({ ...schema, type }, nameOf)));
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return printArray(printType(schema.items ?? {}, nameOf));
    case 'object':
      return schema.properties ? printObject(schema, nameOf) : printRecord(schema, nameOf);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`No TypeScript type for ${JSON.stringify(schema)}`);
  }
}

/** Prints a doc comment of its own lines; nothing when there is nothing to say. */
export function printComment(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Puts an object type without comments on one line when it is short. */
export function collapse(type: string): string {
  const line = type.replaceAll(/\s+/g, ' ').replace('; }', ' }');
  return line.length <= 80 && !line.includes('/**') ? line : type;
}

/** Moves every line but an empty one two blanks to the right. */
export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function printLiteral(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll(/['\\]/g, '\\$&')}'`
    : JSON.stringify(value);
}

function printUnion(members: readonly string[]): string {
  const distinct = [...new Set(members)];
  const line = distinct.join(' | ');
  const isLong = line.length > 80 && !line.includes('\n');
  return isLong ? distinct.map((member) => `\n  | ${member}`).join('') : line;
}

function printArray(item: string): string {
  return item.includes('| ') ? `(${item})[]` : `${item}[]`;
}

function printRecord(schema: JsonSchema, nameOf: NameOf): string {
  const { additionalProperties, propertyNames, required } = schema;
  const value =
    typeof additionalProperties === 'object' ? printType(additionalProperties, nameOf) : 'unknown';
  const key = propertyNames ? printType(propertyNames, nameOf) : 'string';
  const record = `Record<${key}, ${value}>`;
  return key === 'string' || required ? record : `Partial<${record}>`;
}

function printObject(schema: JsonSchema, nameOf: NameOf): string {
  const required = new Set(schema.required);
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const type = printType(property, nameOf);
    const field = required.has(name) ? `${name}: ${type}` : `${name}?: ${orUndefined(type)}`;
    return `${printComment(property.description)}${field};\n`;
  });
  return lines.length === 0 ? '{}' : `{\n${indent(lines.join(''))}}`;
}

function orUndefined(type: string): string {
  return type === 'never' ? 'undefined' : `${type} | undefined`;
}
