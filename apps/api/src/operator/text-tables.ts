import { deviceNameOf } from '../kernel/device-name.ts';
import type { accountOperations } from '../domain/operate-accounts/operate-accounts.ts';
import type { jobOperations } from '../domain/operate-jobs/operate-jobs.ts';
import { singleLine, withMaskedEmails } from './safe-text.ts';

type SessionList = Awaited<ReturnType<ReturnType<typeof accountOperations>['listSessions']>>;
type JobList = Awaited<ReturnType<ReturnType<typeof jobOperations>['list']>>;

/** Maximum length of displayed error text, in characters. */
const shownErrorLength = 120;

export function sessionTable(email: string, { rows, total }: SessionList): string {
  if (total === 0) return `${email} has no open session.`;
  return table(
    ['ID', 'DEVICE', 'ADDRESS', 'LAST USED'],
    rows.map((row) => [
      row.id,
      deviceNameOf(row.userAgent),
      row.ipAddress ?? '',
      row.lastUsedAt.toISOString(),
    ]),
    total,
  );
}

export function jobTable({ rows, total }: JobList): string {
  if (total === 0) return 'There are no such jobs.';
  return table(
    ['ID', 'JOB', 'STATE', 'ATTEMPTS', 'NEXT RUN', 'PAYLOAD', 'LAST ERROR'],
    rows.map((row) => [
      row.id,
      row.name,
      row.state,
      `${row.attempts}/${row.maxAttempts}`,
      row.state === 'waiting' ? row.runAt : '',
      withMaskedEmails(singleLine(JSON.stringify(row.payload))),
      withMaskedEmails(singleLine(row.lastError ?? '')).slice(0, shownErrorLength),
    ]),
    total,
  );
}

/** @param total - the number of rows, shown or not */
function table(head: readonly string[], rows: readonly (readonly string[])[], total: number) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const text = lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
  return total > rows.length ? `${text}\n… and ${total - rows.length} more` : text;
}
