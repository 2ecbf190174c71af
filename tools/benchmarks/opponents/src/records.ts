import { randomUUIDv7 } from 'node:crypto';
import type { AccountRow, TaskRow } from '../../src/limit/rows.ts';
import type { Claims } from '../../src/limit/tokens.ts';

/** What the frameworks without a data layer of their own ask of one. */
export interface Records {
  /** Whose open session it is; null: nobody's. */
  caller(claims: Claims): Promise<AccountRow | null>;
  /** The same with the role in an organization; null for who is no member. */
  member(claims: Claims, organizationId: string): Promise<AccountRow | null>;
  /** The newest tasks, at most as many. */
  tasks(organizationId: string, atMost: number): Promise<TaskRow[]>;
  /** Posts a comment and records it; false when the task isn't there. */
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

/** The parameters of the hand-written statement; the moment as the driver takes it. */
export function parametersOf<Moment extends Date | string>(
  comment: Omit<NewComment, 'createdAt'> & { readonly createdAt: Moment },
) {
  const { organizationId, taskId, id, authorId, body, createdAt, activityId, requestId } = comment;
  return [organizationId, taskId, id, authorId, body, createdAt, activityId, requestId];
}
