import type { Access, Permission, TargetField, Targets } from '@atelier/contract';

/** What a request names, and how it got in. */
interface Naming {
  readonly targets: Targets;
  readonly access: Access;
  readonly input: { readonly params: unknown; readonly body: unknown };
}

/**
 * Which of the ids in a mutation have been checked against the permission that the contract declares for them.
 * A mutation with one that was not checked does not commit.
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

  /** Whether the request has an id there. */
  isNamed(field: TargetField): boolean {
    return this.#named.has(field);
  }

  /** The permission that the operation needs on what an id names. */
  permissionOn(field: TargetField): Permission {
    const target = this.#targets[field];
    if (target?.kind !== 'record') throw new Error(`the contract has no permission on ${field}`);
    return target.permission;
  }

  /** Notes that the operation may do to the record what it is about to do. */
  note(field: TargetField): void {
    this.#checked = new Set([...this.#checked, field]);
  }

  /** @returns what forgets the checks that were noted since */
  mark(): () => void {
    const before = this.#checked;
    return () => {
      this.#checked = before;
    };
  }

  /** @throws Error for an id that no check was noted for: a defect of the operation */
  assertAllChecked(): void {
    const open = [...this.#named].filter((field) => !this.#checked.has(field));
    if (open.length > 0) throw new Error(`nothing checked the right on ${open.join(', ')}`);
  }
}

function isNamed(field: string, { targets, access, input }: Naming): boolean {
  // The proof of the membership is the check of an organization in a path.
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
