import type { Access, Permission, TargetField, Targets } from '@atelier/contract';

/** The ids of a request, and their place in it. */
interface Naming {
  readonly targets: Targets;
  readonly access: Access;
  readonly input: { readonly params: unknown; readonly body: unknown };
}

/**
 * Tracks which ids of a mutation have been checked against the permission that the contract declares for them.
 * A mutation with an unchecked id does not commit.
 *
 * @see docs/decisions/0052-authority-at-the-commit.md
 */
export class TargetChecks {
  readonly #targets: Targets;
  readonly #named: readonly TargetField[];
  #unchecked: readonly TargetField[];

  constructor(naming: Naming) {
    this.#targets = naming.targets;
    // The type of its keys.
    const fields = Object.keys(naming.targets) as TargetField[];
    this.#named = fields.filter((field) => isNamed(field, naming));
    this.#unchecked = this.#named;
  }

  /** Checks whether the request has an id there. */
  isNamed(field: TargetField): boolean {
    return this.#named.includes(field);
  }

  /** Returns the permission that the operation needs on the record of an id. */
  permissionOn(field: TargetField): Permission {
    const target = this.#targets[field];
    if (target?.kind !== 'record') throw new Error(`the contract has no permission on ${field}`);
    return target.permission;
  }

  /** Marks the record as checked. */
  note(field: TargetField): void {
    this.#unchecked = this.#unchecked.filter((each) => each !== field);
  }

  /** @returns a function that forgets later checks */
  mark(): () => void {
    const before = this.#unchecked;
    return () => {
      this.#unchecked = before;
    };
  }

  /** @throws Error for an unchecked id: a defect of the operation */
  assertAllChecked(): void {
    if (this.#unchecked.length === 0) return;
    throw new Error(`nothing checked the right on ${this.#unchecked.join(', ')}`);
  }
}

function isNamed(field: TargetField, { targets, access, input }: Naming): boolean {
  // The membership check covers an organization in a path.
  const isPathOrganization = access.kind === 'member' && access.organizationFrom === 'path';
  if (isPathOrganization && field === 'params.id') return false;
  if (targets[field]?.kind === 'filter') return false;
  const dot = field.indexOf('.');
  const part = field.startsWith('body.') ? input.body : input.params;
  const value = valueAt(part, field.slice(dot + 1));
  // Null ends a relation, and identifies no record.
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

function valueAt(part: unknown, name: string): unknown {
  if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
  return (part as Readonly<Record<string, unknown>>)[name];
}
