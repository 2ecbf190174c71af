import { pageOfTarget } from '../../domain/shares/page.ts';
import { pageOfTask } from '../../domain/task-view/page.ts';
import type { NotificationRow } from '../../domain/notifications/queries/inbox.ts';
import type { Mail } from '../../ports/mailer.ts';
import { mailOf, type FootLink } from '../mail-layout.ts';
import { linkMail } from '../mails.ts';
import { quoted } from '../quoted.ts';
import { subjectOf, toldOf } from './texts.ts';

/** Maximum number of notifications that a digest lists. */
export const maxListed = 50;

const footnote = 'You choose in your profile what you get mails about.';

interface Addresses {
  readonly to: string;
  readonly appUrl: string;
  readonly apiUrl: string;
  /** Ends mails of this kind. */
  readonly unsubscribeToken: string;
}

/**
 * Tells what is new about one subject.
 *
 * @param rows - at least one, the newest first, all of one subject
 * @param projectName - of the task; null without one
 */
export function subjectMail(
  rows: readonly [NotificationRow, ...NotificationRow[]],
  { projectName, ...addresses }: Addresses & { projectName: string | null },
): Mail {
  const [newest] = rows;
  const told = rows.map(toldOf);
  const { title, organization } = toldOf(newest);
  const reasons = new Set(rows.map(({ reason }) => reason));
  const kind = reasons.size === 1 ? subjectOf(newest) : 'News';
  const excerpt = told.find((one) => one.excerpt !== null)?.excerpt ?? null;
  const place = projectName === null ? '' : ` in the project “${quoted(projectName)}”`;
  return {
    ...linkMail({
      to: addresses.to,
      subject: `${kind}: ${title ?? organization}`,
      greeting: told.map(({ sentence }) => sentence).join('. '),
      instruction: [
        excerpt === null ? '' : `“${excerpt}” `,
        title === null ? `It is in ${organization}. ` : `It is about “${title}”${place}. `,
        `Open ${nameOf(newest)} here:`,
      ].join(''),
      action: `Open ${nameOf(newest)}`,
      link: `${addresses.appUrl}${pageOfRow(newest)}`,
      footnote,
      ending: endingOf(addresses),
    }),
    messageId: `<${subjectIdOf(newest)}.${newest.sequence}@${domainOf(addresses)}>`,
    references: `<${subjectIdOf(newest)}@${domainOf(addresses)}>`,
    headers: headersOf(addresses),
  };
}

/**
 * Sums up what is unread.
 *
 * @param rows - at most {@link maxListed}, the newest first
 * @param moreCount - how many there are besides
 */
export function digestMail(
  rows: readonly NotificationRow[],
  { id, moreCount, ...addresses }: Addresses & { id: string; moreCount: number },
): Mail {
  const lines = rows.map((row) => {
    const { sentence, title, organization } = toldOf(row);
    return `${sentence}${title === null ? '' : `: “${title}”`} (${organization})`;
  });
  const more = moreCount === 0 ? [] : [`and ${moreCount} more`];
  const count = rows.length + moreCount;
  const headline = count === 1 ? 'One unread notification' : `${count} unread notifications`;
  return {
    ...mailOf({
      to: addresses.to,
      subject: `${headline} on Atelier`,
      headline,
      list: [...lines, ...more],
      paragraph: 'Read them here:',
      action: { label: 'Open the inbox', link: `${addresses.appUrl}/notifications` },
      footnote,
      ending: endingOf(addresses),
    }),
    messageId: `<${id}@${domainOf(addresses)}>`,
    headers: headersOf(addresses),
  };
}

function headersOf({ apiUrl, unsubscribeToken }: Addresses): Record<string, string> {
  return {
    'auto-submitted': 'auto-generated',
    'list-unsubscribe': `<${apiUrl}/api/notifications/unsubscribe?token=${unsubscribeToken}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  };
}

/** The page asks before it ends anything: programs that check mails open their links. */
function endingOf({ appUrl, unsubscribeToken }: Addresses): FootLink {
  return { label: 'Stop these mails', link: `${appUrl}/unsubscribe?token=${unsubscribeToken}` };
}

function nameOf({ taskId, assetId, shareId }: NotificationRow): string {
  if (taskId !== null) return 'the task';
  if (shareId !== null) return 'what you share';
  return assetId === null ? 'Atelier' : 'the file';
}

function subjectIdOf({ taskId, assetId, shareId, organizationId }: NotificationRow): string {
  if (taskId !== null) return `task.${taskId}`;
  if (shareId !== null) return `share.${shareId}`;
  return assetId === null ? `organization.${organizationId}` : `asset.${assetId}`;
}

function pageOfRow({ taskId, projectId, assetId, ...row }: NotificationRow): string {
  if (assetId !== null) return `/assets/${assetId}`;
  if (row.shareId !== null) return pageOfTarget(row.shareTargetType, row.shareTargetId);
  return taskId === null || projectId === null ? '/' : pageOfTask({ id: taskId, projectId });
}

function domainOf({ appUrl }: Addresses): string {
  return new URL(appUrl).hostname;
}
