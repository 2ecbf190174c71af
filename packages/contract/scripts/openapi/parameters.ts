import type { createDocument } from 'zod-openapi';
import { Id } from '../../src/primitives.ts';

type Document = ReturnType<typeof createDocument>;
type PathItem = NonNullable<Document['paths']>[string];
type Operation = NonNullable<PathItem['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];
type NamedParameter = Extract<Parameter, { name: string }>;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const idText = Id.meta()?.description;

/** The description of a parameter; its schema need not repeat it. */
function withoutRepetition(parameter: Parameter): Parameter {
  if (!('name' in parameter) || typeof parameter.schema !== 'object') return parameter;
  if (parameter.description === idText) {
    const { description: _, ...undescribed } = parameter;
    return undescribed;
  }
  if (!('description' in parameter.schema)) return parameter;
  const { description, ...schema } = parameter.schema;
  return description === parameter.description ? { ...parameter, schema } : parameter;
}

/** Moves parameters that several operations have alike to the components. */
export function shareParameters(document: Document): Document {
  const lists = Object.values(document.paths ?? {}).flatMap((path) =>
    methods.flatMap((method) => (path[method]?.parameters ?? []).map(withoutRepetition)),
  );
  const shared = namesOfShared(lists.filter((parameter) => 'name' in parameter));
  const components = { ...document.components, parameters: parametersByName(shared) };
  const paths = Object.fromEntries(
    Object.entries(document.paths ?? {}).map(([address, path]) => [
      address,
      withReferences(path, shared),
    ]),
  );
  return { ...document, paths, components };
}

function withReferences(path: PathItem, shared: ReadonlyMap<string, string>): PathItem {
  const refer = (repetitive: Parameter): Parameter => {
    const parameter = withoutRepetition(repetitive);
    const name = shared.get(JSON.stringify(parameter));
    return name ? { $ref: `#/components/parameters/${name}` } : parameter;
  };
  const operations = Object.entries(path).map(
    ([method, operation]: [string, Operation]) =>
      [method, (operation.parameters ?? []).map(refer), operation] as const,
  );
  const common = commonTo(operations.map(([, parameters]) => parameters));
  const isCommon = new Set(common.map((parameter) => JSON.stringify(parameter)));
  return {
    ...(common.length > 0 && { parameters: common }),
    ...Object.fromEntries(
      operations.map(([method, parameters, { parameters: _, ...operation }]) => {
        const own = parameters.filter((parameter) => !isCommon.has(JSON.stringify(parameter)));
        return [method, { ...operation, ...(own.length > 0 && { parameters: own }) }];
      }),
    ),
  };
}

/** What every operation of a path takes; a single one keeps its own. */
function commonTo(lists: readonly Parameter[][]): Parameter[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return [];
  return first.filter((parameter) =>
    others.every((list) =>
      list.some((other) => JSON.stringify(other) === JSON.stringify(parameter)),
    ),
  );
}

/** Names by content: the parameter's own name as an identifier, with a number where another content has it already. */
function namesOfShared(parameters: readonly NamedParameter[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const [content, [first, second]] of Map.groupBy(parameters, (one) => JSON.stringify(one))) {
    if (!first || !second) continue;
    const name = camelCase(first.name);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    names.set(content, count === 1 ? name : `${name}${count}`);
  }
  return names;
}

function parametersByName(shared: ReadonlyMap<string, string>) {
  return Object.fromEntries(
    [...shared].map(([content, name]) => [name, JSON.parse(content) as NamedParameter]),
  );
}

/** Generators make names of functions and types from the names of components. */
function camelCase(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}
