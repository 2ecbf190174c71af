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
  readonly #named: ReadonlySet<string>;
  #checked: ReadonlySet<string> = new Set();

  constructor(naming: Naming) {
    this.#targets = naming.targets;
    this.#named = new Set(Object.keys(naming.targets).filter((field) => isNamed(field, naming)));
  }

  /** Checks whether the request has an id there. */
  isNamed(field: TargetField): boolean {
    return this.#named.has(field);
  }

  /** Returns the permission that the operation needs on the record of an id. */
  permissionOn(field: TargetField): Permission {
    const target = this.#targets[field];
    if (target?.kind !== 'record') throw new Error(`the contract has no permission on ${field}`);
    return target.permission;
  }

  /** Marks the record as checked. */
  note(field: TargetField): void {
    this.#checked = new Set([...this.#checked, field]);
  }

  /** @returns a function that forgets later checks */
  mark(): () => void {
    const before = this.#checked;
    return () => {
      this.#checked = before;
    };
  }

  /** @throws Error for an unchecked id: a defect of the operation */
  assertAllChecked(): void {
    const open = [...this.#named].filter((field) => !this.#checked.has(field));
    if (open.length > 0) throw new Error(`nothing checked the right on ${open.join(', ')}`);
  }
}

function isNamed(field: string, { targets, access, input }: Naming): boolean {
  // The membership check covers an organization in a path.
  const isPathOrganization = access.kind === 'member' && access.organizationFrom === 'path';
  if (isPathOrganization && field === 'params.id') return false;
  const [where, name = ''] = field.split('.');
  if (targets[field as TargetField]?.kind === 'filter') return false;
  const value = valueAt(where === 'body' ? input.body : input.params, name);
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function valueAt(part: unknown, name: string): unknown {
  if (typeof part !== 'object' || part === null) return undefined;
  return Object.getOwnPropertyDescriptor(part, name)?.value;
}
