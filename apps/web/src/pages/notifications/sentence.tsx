import type { Notification } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notifications.ts';
import { sentenceOf } from './known.ts';

/** Says who did what, with the names of both in bold until it is read. */
export function Sentence({ notification }: { readonly notification: Notification }): ReactNode {
  const { actor, guestName, subject, isRead } = notification;
  const guest = guestName === null ? null : texts.guest(guestName);
  const names: Readonly<Record<string, string>> = {
    '{actor}': actor?.name ?? guest ?? texts.service,
    '{subject}': subject.title,
  };
  const parts = sentenceOf(notification)
    .split(/(\{\w+\})/)
    .filter(Boolean);
  return parts.map((part) =>
    names[part] === undefined ? (
      part
    ) : (
      <bdi key={part} className={isRead ? 'text-ink' : 'font-semibold text-ink'}>
        {names[part]}
      </bdi>
    ),
  );
}
