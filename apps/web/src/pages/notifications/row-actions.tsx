import type { Notification } from '@atelier/client';
import {
  AlarmClockOff,
  Archive,
  Clock,
  Inbox,
  Mail,
  MailOpen,
  MoreHorizontal,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notifications.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { SnoozeItems } from './snooze-menu.tsx';
import type { NotificationActions } from './use-actions.ts';

interface RowActionsProps {
  readonly notification: Notification;
  readonly actions: NotificationActions;
  /** Asks for a date to put it off to. */
  readonly onPick: () => void;
}

interface Action {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

/** The actions of a row: buttons that appear over it, or one menu in a narrow window. */
export function RowActions(props: RowActionsProps): ReactNode {
  const { notification, actions, onPick } = props;
  const { isRead, isArchived, isSnoozed } = notification;
  const read: Action = {
    label: isRead ? texts.markUnread : texts.markRead,
    icon: isRead ? Mail : MailOpen,
    run: () => actions.toggleRead(notification),
  };
  const archive: Action = {
    label: isArchived ? texts.unarchive : texts.archive,
    icon: isArchived ? Inbox : Archive,
    run: () => actions.toggleArchived(notification),
  };
  const wake: Action = {
    label: texts.snooze.end,
    icon: AlarmClockOff,
    run: () => actions.endSnooze(notification),
  };
  const snoozes = (
    <SnoozeItems onSnooze={(until) => actions.snooze(notification, until)} onPick={onPick} />
  );
  return (
    <>
      <div className="absolute top-1.5 right-2.5 hidden gap-0.5 rounded-md opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 sm:flex [@media(hover:none)]:static [@media(hover:none)]:opacity-100">
        <RowButton {...read} keys="U" />
        {isSnoozed ? <RowButton {...wake} keys="S" isSnooze /> : null}
        {isSnoozed || isArchived ? null : (
          <Menu
            trigger={
              <IconButton
                icon={Clock}
                label={texts.snooze.label}
                size="sm"
                data-snooze
                aria-keyshortcuts="S"
              />
            }
          >
            {snoozes}
          </Menu>
        )}
        <RowButton {...archive} keys="E" />
      </div>
      <div className="relative -my-1 -mr-1 sm:hidden">
        <Menu trigger={<IconButton icon={MoreHorizontal} label={texts.actions} />}>
          <RowItem {...read} />
          <RowItem {...archive} />
          {isSnoozed ? <RowItem {...wake} /> : null}
          {isSnoozed || isArchived ? null : (
            <>
              <MenuSeparator />
              {snoozes}
            </>
          )}
        </Menu>
      </div>
    </>
  );
}

interface RowButtonProps extends Action {
  readonly keys: string;
  /** It is what the key for snoozing presses. */
  readonly isSnooze?: boolean;
}

function RowButton({ label, icon, run, keys, isSnooze = false }: RowButtonProps): ReactNode {
  return (
    <IconButton
      icon={icon}
      label={label}
      size="sm"
      aria-keyshortcuts={keys}
      onClick={run}
      {...(isSnooze && { 'data-snooze': true })}
    />
  );
}

function RowItem({ label, icon, run }: Action): ReactNode {
  return (
    <MenuItem icon={icon} onSelect={run}>
      {label}
    </MenuItem>
  );
}
