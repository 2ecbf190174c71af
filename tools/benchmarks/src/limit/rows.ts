/** The rows of the statements and their response data. */

interface Named {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly platform_role: string;
  readonly mail_notices: boolean;
  readonly mail_sign_ins: boolean;
  readonly account_status: string;
  readonly personal_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** The role of the user in the organization; null if the user is no member. */
  readonly role?: string | null;
}

export interface TaskRow {
  readonly id: string;
  readonly number: number;
  readonly project_id: string;
  readonly organization_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  readonly priority: string;
  readonly due_date: Date | null;
  readonly completed_at: Date | null;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly position: number;
  readonly comment_count: number;
  readonly attachment_count: number;
  readonly parent: { readonly id: string; readonly number: number; readonly title: string } | null;
  readonly subtask_count: number;
  readonly completed_subtask_count: number;
  readonly assignees: readonly (Named & { readonly id: string })[];
  readonly labels: readonly {
    readonly id: string;
    readonly name: string;
    readonly color: string;
  }[];
  readonly total: number;
}

function displayNameOf({ firstName, lastName, email }: Named): string {
  const fullName = [firstName, lastName].filter((name) => name !== null).join(' ');
  return fullName || email.slice(0, email.indexOf('@'));
}

export function shownAccount(row: AccountRow) {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    displayName: displayNameOf({
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
    }),
    avatarUrl: null,
    accountStatus: row.account_status,
    platformRole: row.platform_role,
    mailNotices: row.mail_notices,
    mailSignIns: row.mail_sign_ins,
    personalOrganizationId: row.personal_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function shownTask(row: TaskRow) {
  return {
    id: row.id,
    number: row.number,
    projectId: row.project_id,
    organizationId: row.organization_id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    dueDate: row.due_date?.toISOString() ?? null,
    assignees: row.assignees.map((person) => ({
      id: person.id,
      displayName: displayNameOf(person),
      email: person.email,
      avatarUrl: null,
    })),
    labels: row.labels,
    position: row.position,
    commentCount: row.comment_count,
    attachmentCount: row.attachment_count,
    parent: row.parent,
    subtaskCount: row.subtask_count,
    completedSubtaskCount: row.completed_subtask_count,
    completedAt: row.completed_at?.toISOString() ?? null,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A page of the newest tasks. The cursor is plain; encrypting it is extra work of the service. */
export function shownPage(rows: readonly TaskRow[], limit: number) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit;
  const total = Math.min(rows[0]?.total ?? 0, 10_000);
  return {
    items: shown.map(shownTask),
    pagination: {
      page: 1,
      limit,
      total,
      totalPages: Math.ceil(total / limit),
      hasNext,
      ...(hasNext &&
        last && {
          nextCursor: Buffer.from(`${last.created_at.toISOString()} ${last.id}`).toString(
            'base64url',
          ),
        }),
    },
  };
}

export function shownComment(
  comment: { id: string; taskId: string; body: string; createdAt: Date },
  author: AccountRow,
) {
  const { id, taskId, body, createdAt } = comment;
  const { displayName, email } = shownAccount(author);
  return {
    id,
    taskId,
    author: { id: author.id, displayName, email, avatarUrl: null },
    body,
    createdAt: createdAt.toISOString(),
    editedAt: null,
  };
}
