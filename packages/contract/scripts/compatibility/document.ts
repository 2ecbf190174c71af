/** What of an OpenAPI document the comparison reads. */
export interface OpenApi {
  readonly paths?: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly security?: readonly object[];
  readonly 'x-permissions'?: Readonly<Record<string, string>>;
}

interface PathItem {
  readonly parameters?: readonly Parameter[];
  readonly [method: string]: unknown;
}

export interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Content {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  readonly security?: readonly object[];
  readonly 'x-access'?: string;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'] as const;

/** Every operation by `METHOD /path`, with the parameters of its path and without references. */
export function operationsOf(document: OpenApi): Map<string, Operation> {
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item[method] as Operation | undefined;
      if (!operation) continue;
      operations.set(`${method.toUpperCase()} ${path}`, {
        ...operation,
        parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
          resolved(document, one),
        ),
        responses: Object.fromEntries(
          Object.entries(operation.responses ?? {}).map(([status, response]) => [
            status,
            resolved(document, response),
          ]),
        ),
      });
    }
  }
  return operations;
}

/** What a reference within the document leads to; what stands beside it wins. */
export function resolved<Referring extends { readonly $ref?: string }>(
  document: OpenApi,
  referring: Referring,
): Referring {
  if (referring.$ref === undefined) return referring;
  const { $ref, ...beside } = referring;
  const [, , section = '', name = ''] = $ref.split('/');
  const target = document.components?.[section]?.[name];
  if (typeof target !== 'object' || target === null) {
    throw new Error(`${$ref} leads nowhere`);
  }
  // What a reference of a place leads to is of that place's kind.
  return { ...resolved(document, target as Referring), ...beside };
}

/** A schema without references and `allOf` on its top level: all of them as one. */
export function flattened(document: OpenApi, schema: Schema): Schema {
  const { allOf, ...own } = resolved(document, schema);
  return (allOf ?? [])
    .map((part) => flattened(document, part))
    .reduceRight<Schema>((whole, part) => mergedSchemas(part, whole), own);
}

function mergedSchemas(one: Schema, other: Schema): Schema {
  const properties: Record<string, Schema> = { ...one.properties };
  for (const [field, schema] of Object.entries(other.properties ?? {})) {
    const known = properties[field];
    properties[field] = known ? { allOf: [known, schema] } : schema;
  }
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  const choices = one.enum && other.enum?.filter((value) => one.enum?.includes(value));
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(choices && { enum: choices }),
  };
}
