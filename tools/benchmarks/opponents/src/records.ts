import { randomUUIDv7 } from 'node:crypto';
import type { AccountRow, TaskRow } from '../../src/limit/rows.ts';
import type { Claims } from '../../src/limit/tokens.ts';

/** The data layer for frameworks that have none. */
export interface Records {
  /** Finds the account of an open session; null if there is none. */
  caller(claims: Claims): Promise<AccountRow | null>;
  /** Also finds the role in an organization; null if the user is no member. */
  member(claims: Claims, organizationId: string): Promise<AccountRow | null>;
  /** Lists the newest tasks. */
  tasks(organizationId: string, atMost: number): Promise<TaskRow[]>;
  /** Posts a comment and records it; false if the task doesn't exist. */
  post(comment: NewComment): Promise<boolean>;
}

export interface NewComment {
  readonly id: string;
  readonly organizationId: string;
  readonly taskId: string;
  readonly authorId: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly activityId: string;
  readonly requestId: string;
}

export function newComment(
  by: { organizationId: string; authorId: string },
  { taskId, body }: { taskId: string; body: string },
): NewComment {
  return {
    ...by,
    taskId,
    body,
    id: randomUUIDv7(),
    createdAt: new Date(),
    activityId: randomUUIDv7(),
    requestId: `req_${randomUUIDv7()}`,
  };
}

/** The parameters of the hand-written statement, with the timestamp as the driver expects it. */
export function parametersOf<Moment extends Date | string>(
  comment: Omit<NewComment, 'createdAt'> & { readonly createdAt: Moment },
) {
  const { organizationId, taskId, id, authorId, body, createdAt, activityId, requestId } = comment;
  return [organizationId, taskId, id, authorId, body, createdAt, activityId, requestId];
}
