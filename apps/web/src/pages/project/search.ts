/** The part of the address behind the `?` that this page reads. */
export interface ProjectSearch {
  /** The task whose drawer is open. */
  readonly task?: string | undefined;
}

export function validateSearch({ task }: Record<string, unknown>): ProjectSearch {
  return typeof task === 'string' ? { task } : {};
}
