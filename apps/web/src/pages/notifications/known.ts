import type { Notification } from '@atelier/client';
import {
  AtSign,
  Bell,
  CalendarClock,
  CalendarX,
  Eye,
  KeyRound,
  Mail,
  MessageSquare,
  PenLine,
  Shield,
  ShieldAlert,
  TriangleAlert,
  UserMinus,
  UserPlus,
  UserX,
  type LucideIcon,
} from 'lucide-react';
import { texts } from '../../texts/notifications.ts';

type Reason = Notification['reason'];

/** By reason; a deployment may add some while a page of an older build is open. */
type ByReason<Value> = Readonly<Record<string, Value | undefined>>;

const icons: ByReason<LucideIcon> = {
  mentioned: AtSign,
  assigned: UserPlus,
  unassigned: UserMinus,
  commented: MessageSquare,
  changed: PenLine,
  due_soon: CalendarClock,
  overdue: CalendarX,
  invited: Mail,
  role_changed: Shield,
  removed: UserX,
  share_guessing: KeyRound,
  shared_opened: Eye,
  integration_failing: TriangleAlert,
  security: ShieldAlert,
} satisfies Record<Reason, LucideIcon>;

const sentences: ByReason<string> = texts.sentences;
const reviews: ByReason<string> = texts.reviews;
const events: ByReason<(count: number) => string> = texts.events;

export function iconOf(reason: Reason): LucideIcon {
  return icons[reason] ?? Bell;
}

interface Told extends Pick<Notification, 'reason' | 'reviewStatus'> {
  readonly subject: Pick<Notification['subject'], 'type'>;
}

/** Returns who did what, with `{actor}` and `{subject}` for their names. */
export function sentenceOf({ reason, subject, reviewStatus }: Told): string {
  const isReview = reason === 'changed' && subject.type === 'asset';
  const known = isReview ? reviews[reviewStatus ?? 'NONE'] : sentences[reason];
  return known ?? '{subject}';
}

/** Says how many events a notification stands for. */
export function eventsText(reason: Reason, count: number): string {
  return (events[reason] ?? texts.events.security)(count);
}
