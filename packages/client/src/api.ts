import type { OperationGroups } from './generated/groups.ts';
import type { Session } from './session.ts';

/** The client: every operation by group and name, and the session. */
export type Client = OperationGroups & { readonly session: Session };
