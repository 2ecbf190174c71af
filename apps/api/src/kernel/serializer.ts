import fastJsonStringify from 'fast-json-stringify';
import { z } from 'zod';

type Serializer = (body: unknown) => string;

/**
 * Compiles the serializer of a response schema on its first use. It writes the declared fields only,
 * so that nothing undeclared leaves the service even when a query returned too much.
 */
export function lazySerializer(schema: z.ZodType): Serializer {
  let compiled: Serializer | undefined;
  return (body) => {
    compiled ??= compile(schema);
    return compiled(body);
  };
}

function compile(schema: z.ZodType): Serializer {
  const jsonSchema = z.toJSONSchema(schema, {
    // An empty registry: no named components, everything in place.
    metadata: z.registry(),
    override: ({ jsonSchema: node }) => preferNullable(node),
  });
  return fastJsonStringify(jsonSchema as fastJsonStringify.AnySchema);
}

/** `X | null` as `nullable`: the compiled alternative would validate each value to choose a branch. */
function preferNullable(node: z.core.JSONSchema.BaseSchema): void {
  if (node.anyOf?.length !== 2) return;
  const [value, none] = node.anyOf;
  if (value === undefined || none?.type !== 'null') return;
  delete node.anyOf;
  Object.assign(node, value, { nullable: true });
}
