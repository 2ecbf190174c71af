/** Values by name of a field. */
export type Fields = Record<string, unknown>;

/** A record. Its fields are those of its schema that can't be computed, and references such as `labelIds`. */
export interface Stored {
  readonly kind: string;
  readonly id: string;
  /** Null for what belongs to an account only. */
  readonly organizationId: string | null;
  /** The account that created it. */
  readonly ownerId: string | null;
  readonly fields: Fields;
  /** What no response has. */
  readonly hidden: Fields;
  bin: Bin | null;
}

interface Bin {
  readonly deletedAt: string;
  readonly purgeAt: string;
  /** The id of the record that was deleted; itself, or the one that took it along. */
  readonly by: string;
}

export interface Store {
  add(record: Omit<Stored, 'hidden' | 'bin'> & Partial<Pick<Stored, 'hidden'>>): Stored;
  /** Also finds records in the bin. */
  find(kind: string, id: unknown): Stored | undefined;
  /** Every record of a kind outside the bin, oldest first. */
  all(kind: string): readonly Stored[];
  binned(kind: string): readonly Stored[];
  /** Every record that holds the id of another one as `taskId`, for `task`. */
  childrenOf(parent: Pick<Stored, 'kind' | 'id'>): readonly Stored[];
  remove(record: Stored): void;
}

export function createStore(): Store {
  const records = new Map<string, Map<string, Stored>>();
  const table = (kind: string) => records.get(kind) ?? new Map<string, Stored>();
  return {
    add(given) {
      const record = { hidden: {}, ...given, bin: null };
      records.set(record.kind, table(record.kind).set(record.id, record));
      return record;
    },
    find: (kind, id) => (typeof id === 'string' ? table(kind).get(id) : undefined),
    all: (kind) => [...table(kind).values()].filter(({ bin }) => bin === null),
    binned: (kind) => [...table(kind).values()].filter(({ bin }) => bin !== null),
    childrenOf: ({ kind, id }) =>
      [...records.values()].flatMap((one) =>
        [...one.values()].filter(({ fields }) => fields[`${kind}Id`] === id),
      ),
    remove: ({ kind, id }) => void table(kind).delete(id),
  };
}

/** Returns a field as text; empty if it has none. */
export function textOf(fields: Fields | undefined, name: string): string {
  const value = fields?.[name];
  return typeof value === 'string' ? value : '';
}

/** Returns a field as a list of ids. */
export function idsOf(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
