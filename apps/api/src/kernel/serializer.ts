import { z } from 'zod';

type Serializer = (body: unknown) => string;
type JsonSchema = z.core.JSONSchema.BaseSchema;
/** Copies what a schema declares of a value. */
type Guard = (value: unknown, path: string) => unknown;

/**
 * Compiles the serializer of a response schema on its first use. It writes the declared fields only,
 * so that nothing undeclared leaves the service even when a query returned too much.
 *
 * The declared fields are copied, in the order of the contract, and the copy is left to the engine's own
 * `JSON.stringify`: on a list that takes half as long as a writer generated from the schema.
 *
 * @throws TypeError from the serializer, for an answer that lacks a declared field or has another type
 */
export function lazySerializer(schema: z.ZodType): Serializer {
  let guard: Guard | undefined;
  return (body) => {
    guard ??= guardOf(
      // An empty registry: no named components, everything in place.
      z.toJSONSchema(schema, { metadata: z.registry() }),
    );
    return JSON.stringify(guard(body, 'the answer'));
  };
}

function guardOf(node: JsonSchema): Guard {
  const { type, anyOf } = node;
  if (anyOf) return alternativeOf(anyOf);
  if (Array.isArray(type)) return alternativeOf(type.map((each) => ({ ...node, type: each })));
  if ('const' in node) return () => node.const;
  switch (type) {
    case 'object':
      return isRecord(node) ? recordOf(node.additionalProperties) : objectOf(node);
    case 'array':
      return arrayOf(guardOf(asSchema(node.items)));
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return number;
    case 'boolean':
      return truth;
    case 'null':
      return () => null;
    case undefined:
      if (node.enum) return text;
      // Anything, such as what an activity tells of a change: nothing is declared that could be kept.
      if (!node.properties && !node.allOf && !node.oneOf && !node.$ref) return (value) => value;
  }
  throw new TypeError(`No serializer for ${JSON.stringify(node)}`);
}

/** A value or null; nothing else that the contract has takes alternatives. */
function alternativeOf(nodes: readonly JsonSchema[]): Guard {
  const [value, ...others] = nodes.filter(({ type }) => type !== 'null');
  if (value === undefined || others.length > 0 || nodes.length !== 2) {
    throw new TypeError(`No serializer for ${JSON.stringify(nodes)}`);
  }
  const guard = guardOf(value);
  return (given, path) => (given === null ? null : guard(given, path));
}

function objectOf({ properties = {}, required = [] }: JsonSchema): Guard {
  const fields = Object.entries(properties).map(([name, node]) => ({
    name,
    guard: guardOf(asSchema(node)),
    isRequired: required.includes(name),
  }));
  return (value, path) => {
    const source = asObject(value, path);
    const copy: Record<string, unknown> = {};
    for (const { name, guard, isRequired } of fields) {
      const field = source[name];
      if (field !== undefined) copy[name] = guard(field, name);
      else if (isRequired) throw new TypeError(`"${name}" is required in ${path}`);
    }
    return copy;
  };
}

function recordOf(node: JsonSchema): Guard {
  const guard = guardOf(node);
  return (value, path) =>
    Object.fromEntries(
      Object.entries(asObject(value, path)).map(([name, field]) => [name, guard(field, name)]),
    );
}

function arrayOf(guard: Guard): Guard {
  return (value, path) => {
    if (!Array.isArray(value)) throw new TypeError(`${path} is no list`);
    return value.map((item) => guard(item, path));
  };
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new TypeError(`${path} is no text`);
  return value;
}

function number(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new TypeError(`${path} is no number`);
  }
  return value;
}

function truth(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${path} is neither true nor false`);
  return value;
}

function asObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${path} is no object`);
  }
  // An object, as was just seen.
  return value as Record<string, unknown>;
}

function isRecord(node: JsonSchema): node is JsonSchema & { additionalProperties: JsonSchema } {
  return typeof node.additionalProperties === 'object';
}

function asSchema(node: unknown): JsonSchema {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    throw new TypeError(`No serializer for ${JSON.stringify(node)}`);
  }
  // What zod writes in the place of a schema.
  return node as JsonSchema;
}
