/** Search parameters of this page. */
export interface MyTasksSearch {
  /** The task whose drawer is open. */
  readonly task?: string | undefined;
}

export function validateSearch({ task }: Record<string, unknown>): MyTasksSearch {
  return typeof task === 'string' ? { task } : {};
}
