/** The subset of JSON Schema that the schemas of the contract use. */
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

/** Returns the TypeScript name of a definition. */
export type NameOf = (definition: string) => string;

/**
 * Prints a JSON Schema as a TypeScript type.
 *
 * No library keeps the names, doc comments and exact optional properties of the contract at once:
 * json-schema-to-typescript invents names for inlined schemas and adds index signatures, quicktype writes classes,
 * and zod's types can't be printed.
 *
 * @throws Error for a schema that it can't represent, rather than publish a wrong type
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

/** Prints a doc comment on lines of its own; nothing without a text. */
export function printComment(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Prints a short object type without comments on one line. */
export function collapse(type: string): string {
  const line = type.replaceAll(/\s+/g, ' ').replace('; }', ' }');
  return line.length <= 80 && !line.includes('/**') ? line : type;
}

/** Indents every line but an empty one by two spaces. */
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
