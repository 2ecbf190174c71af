export interface ApprovalSearch {
  /** The organization of the approval; default: the selected one. */
  readonly organizationId?: string | undefined;
}

/** Reads the search parameters of this page. */
export function validateSearch({ organizationId }: Record<string, unknown>): ApprovalSearch {
  return { organizationId: typeof organizationId === 'string' ? organizationId : undefined };
}
