import { displayNameOf } from '../../domain/person-view/present-user.ts';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail } from '../mails.ts';
import { quoted } from '../quoted.ts';
import type { NoticeRow } from './queries.ts';

const footnote = 'You can switch off mails of this kind in your profile.';

/** Tells the assignee of a task. */
export function assignmentMail(notice: NoticeRow, link: string): Mail {
  const { actor, title, project } = quotesOf(notice);
  return linkMail({
    to: notice.email,
    subject: `Assigned to you: ${title}`,
    greeting: `${actor} assigned a task to you`,
    instruction: `“${title}” in the project “${project}” is yours now. Open it here:`,
    action: 'Open the task',
    link,
    footnote,
  });
}

/** Tells a user about a comment that mentions them. */
export function mentionMail(notice: NoticeRow, link: string): Mail {
  const { actor, title, project } = quotesOf(notice);
  return linkMail({
    to: notice.email,
    subject: `You were mentioned: ${title}`,
    greeting: `${actor} mentioned you in a comment`,
    instruction: `It is about “${title}” in the project “${project}”. Read it here:`,
    action: 'Read the comment',
    link,
    footnote,
  });
}

function quotesOf({ actor, taskTitle, projectName }: NoticeRow) {
  return {
    actor: quoted(displayNameOf(actor)),
    title: quoted(taskTitle),
    project: quoted(projectName),
  };
}
