import type { z } from 'zod/v4';

/**
 * Where an item holds a value: `status`, or `actor.id` for a value of an object in it. A list on the way, as in
 * `labels.id`, has the values of all its members.
 */
export type FieldPath = string;

/** What a filter compares. An item matches if one of the values of the fields does. */
export interface FilterRule {
  /**
   * `equal`: the value is the one of the query. `contains`, `startsWith`: it has that text in it, ignoring case, or at
   * its start. `oneOf`: it is one of those that the query separates by `/`. `allOf`: the values have all tags that the
   * query separates by `,`, ignoring case. `before`, `notBefore`: it is an earlier time, or no earlier one. `scope`: for `personal`, it is the id
   * of the caller; for `organization`, everything matches.
   */
  readonly comparison:
    | 'equal'
    | 'oneOf'
    | 'allOf'
    | 'contains'
    | 'startsWith'
    | 'before'
    | 'notBefore'
    | 'scope';
  readonly fields: readonly [FieldPath, ...FieldPath[]];
}

/** One of the values that a list is sorted by, the most significant first. Null comes last in both directions. */
export interface SortKey {
  readonly field: FieldPath;
  readonly direction: 'ascending' | 'descending';
  /** The list whose default order the ids of the field have; null: values compare as they are. */
  readonly asIn: string | null;
}

/** A {@link SortKey}: a field ascends, and descends with `-` before it. */
export type SortField = string | { readonly field: FieldPath; readonly asIn: string };

/** What the query of a list means for its items; {@link endpoint} derives the rest. */
export interface ListSpec {
  /** By name; by default the value is equal to that of the item's field with the name of the filter. */
  readonly filters?: Readonly<Record<string, FilterRule>>;
  /**
   * By value of `sort`. A value without a rule sorts by the field with its name; `-name` has the rule of `name` in the
   * other direction.
   */
  readonly sorts?: Readonly<Record<string, readonly SortField[]>>;
  /** The order of a list without `sort`. */
  readonly order?: readonly SortField[];
}

/** What each filter and each order of a list means for its items. */
export interface ListRules {
  readonly filters: Readonly<Record<string, FilterRule>>;
  /** By value of `sort`; the last key is the id. */
  readonly sorts: Readonly<Record<string, readonly SortKey[]>>;
  /** Without `sort` in the query. */
  readonly defaultOrder: readonly SortKey[];
  readonly hasCursor: boolean;
}

/** Declares what a filter compares. */
export function filter(
  comparison: FilterRule['comparison'],
  ...fields: readonly [FieldPath, ...FieldPath[]]
): FilterRule {
  return { comparison, fields };
}

const pageFields: readonly string[] = ['page', 'limit', 'cursor', 'sort'];

/** @returns null for an operation whose query is not that of a list, or whose items are ranked */
export function listRulesOf(
  query: z.ZodType | undefined,
  spec: ListSpec | 'ranked' = {},
): ListRules | null {
  const shape = shapeOf(query);
  if (spec === 'ranked' || !('limit' in shape)) return null;
  const names = Object.keys(shape).filter((name) => !pageFields.includes(name));
  const values = valuesOf(shape['sort']);
  const sorts = Object.fromEntries(values.map((value) => [value, keysOf(value, spec)]));
  return {
    filters: Object.fromEntries(
      names.map((name) => [name, spec.filters?.[name] ?? filter('equal', name)]),
    ),
    sorts,
    defaultOrder: Object.values(sorts)[0] ?? completed(spec.order ?? []),
    hasCursor: 'cursor' in shape,
  };
}

function keysOf(value: string, { sorts = {} }: ListSpec): SortKey[] {
  const own = sorts[value];
  if (own) return completed(own);
  if (!value.startsWith('-')) return completed([value]);
  return completed(sorts[value.slice(1)] ?? [value.slice(1)]).map((key) => ({
    ...key,
    direction: key.direction === 'ascending' ? 'descending' : 'ascending',
  }));
}

/** Adds the id, in the direction of the first key. */
function completed(fields: readonly SortField[]): SortKey[] {
  const keys = fields.map(keyOf);
  return [...keys, { field: 'id', direction: keys[0]?.direction ?? 'ascending', asIn: null }];
}

function keyOf(field: SortField): SortKey {
  if (typeof field !== 'string') return { ...field, direction: 'ascending' };
  return field.startsWith('-')
    ? { field: field.slice(1), direction: 'descending', asIn: null }
    : { field, direction: 'ascending', asIn: null };
}

function shapeOf(query: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  return query && 'shape' in query ? (query.shape as Record<string, z.ZodType>) : {};
}

/** The default value of `sortQuery` is its first. */
function valuesOf(sort: z.ZodType | undefined): string[] {
  if (!sort) return [];
  const { innerType } = sort.def as unknown as { innerType: { options: readonly string[] } };
  return [...innerType.options];
}

/**
 * Requires a rule for each filter and each value of `sort` that is no field of the item, and the order of a list
 * without `sort`: without one, the operation does not compile.
 */
export type DeclaresList<Spec> = Spec extends { readonly query: { readonly shape: infer Shape } }
  ? Spec extends { readonly list: 'ranked' }
    ? unknown
    : 'limit' extends keyof Shape
      ? ListOf<Shape, keyof ItemOf<Spec>>
      : unknown
  : unknown;

type ListOf<Shape, Field> = Needs<'filters', FilterName<Shape>, Field, FilterRule> &
  ('sort' extends keyof Shape
    ? Needs<'sorts', Ascending<SortOf<Shape>>, Field, readonly SortField[]>
    : { readonly list: { readonly order: readonly SortField[] } });

type Needs<Part extends string, Name, Field, Rule> = [Exclude<Name, Field>] extends [never]
  ? unknown
  : {
      readonly list: {
        readonly [_ in Part]: Readonly<Record<Exclude<Name, Field> & string, Rule>>;
      };
    };

type FilterName<Shape> = Exclude<keyof Shape, 'page' | 'limit' | 'cursor' | 'sort'>;

type SortOf<Shape> = Shape extends { readonly sort: z.ZodType<infer Value> } ? Value : never;

type Ascending<Value> = Value extends `-${infer Field}` ? Field : Value;

type ItemOf<Spec> = Spec extends {
  readonly success: { readonly data: z.ZodType<{ items: readonly (infer Item)[] }> };
}
  ? Item
  : never;
