/** The change of a field, as recorded in an activity. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * Returns the changed fields, in the order of `after`.
 *
 * @param after - fields by their names in the contract; they are compared with `===`
 */
export function changesBetween<Fields extends object>(
  before: { readonly [Field in keyof Fields]: unknown },
  after: Fields,
): Change[] {
  return (Object.keys(after) as (keyof Fields & string)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
}
