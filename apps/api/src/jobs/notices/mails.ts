import { displayNameOf } from '../../kernel/present-user.ts';
import type { Mail } from '../../ports/mailer.ts';
import { linkMail } from '../mails.ts';
import type { NoticeRow } from './queries.ts';

/** Most characters that a mail quotes of a name or title. */
const maxQuotedCharacters = 120;

const footnote = 'You can switch off mails of this kind in your profile.';

/** Tells somebody of a task that is theirs now. */
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

/** Tells somebody of a comment that mentions them. */
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

/**
 * What somebody else typed, as it can stand in a subject and within a sentence: one line, nothing that
 * turns the direction of writing, and no address that a mail program would make a second link of.
 */
function quoted(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll('://', ':\u2060//')
    .trim();
  const characters = Array.from(line);
  if (characters.length <= maxQuotedCharacters) return line;
  return `${characters.slice(0, maxQuotedCharacters - 1).join('')}…`;
}
