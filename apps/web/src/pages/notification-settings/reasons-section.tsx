import type { MailSetting, NotificationPreferences, NotificationReason } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notification-settings.ts';
import { keysOf } from '../../ui/options.ts';
import { Section } from '../../ui/section.tsx';

const { reasons: words } = texts;
type Reasons = NotificationPreferences['reasons'];

const groups = [
  { label: words.groups.you, reasons: ['mentioned', 'assigned', 'unassigned'] },
  { label: words.groups.followed, reasons: ['commented', 'changed', 'due_soon', 'overdue'] },
  {
    label: words.groups.account,
    reasons: [
      'role_changed',
      'removed',
      'share_guessing',
      'shared_opened',
      'integration_failing',
      'invited',
      'security',
    ],
  },
] as const satisfies readonly { label: string; reasons: readonly NotificationReason[] }[];

const mails = keysOf(words.mails);
/** Their mails can't be chosen: an invitation needs its link, and security is not optional. */
const mailed: ReadonlySet<NotificationReason> = new Set(['invited', 'security']);

interface ReasonsSectionProps {
  readonly reasons: Reasons;
  readonly onChange: (reasons: Reasons) => void;
}

/** Chooses for each reason whether the inbox has it, and how it is mailed. */
export function ReasonsSection({ reasons, onChange }: ReasonsSectionProps): ReactNode {
  return (
    <Section title={words.title} hint={words.hint}>
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="text-xs text-ink-muted">
            <th scope="col" className="sr-only">
              {words.what}
            </th>
            <th scope="col" className="w-16 pb-1 text-center font-medium sm:w-24">
              {words.inbox}
            </th>
            <th scope="col" className="w-28 pb-1 font-medium sm:w-40">
              {words.mail}
            </th>
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.label}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={3}
                className="pt-5 pb-1 text-xs font-medium text-ink-muted"
              >
                {group.label}
              </th>
            </tr>
            {group.reasons.map((reason) => (
              <ReasonRow
                key={reason}
                reason={reason}
                setting={reasons[reason]}
                onChange={(setting) => onChange({ ...reasons, [reason]: setting })}
              />
            ))}
          </tbody>
        ))}
      </table>
    </Section>
  );
}

interface Setting {
  readonly inbox: boolean;
  readonly mail: MailSetting;
}

interface ReasonRowProps {
  readonly reason: NotificationReason;
  readonly setting: Setting;
  readonly onChange: (setting: Setting) => void;
}

function ReasonRow({ reason, setting, onChange }: ReasonRowProps): ReactNode {
  const name = words.names[reason];
  const isLocked = reason === 'security';
  const isMailed = mailed.has(reason);
  const { inbox, mail } = setting;
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-2.5 pr-3 font-normal">
        <span className="block font-medium">{name}</span>
        <span className="block text-sm text-ink-muted">{words.hints[reason]}</span>
      </th>
      <td className="text-center">
        <input
          type="checkbox"
          aria-label={words.inInbox(name)}
          checked={inbox}
          disabled={isLocked}
          onChange={({ target }) =>
            onChange({
              inbox: target.checked,
              mail: target.checked || isMailed ? mail : 'OFF',
            })
          }
          className="size-4 align-middle"
        />
      </td>
      <td>
        {isMailed ? (
          <span className="text-ink-muted">{isLocked ? words.always : words.mails.INSTANT}</span>
        ) : (
          <select
            aria-label={words.byMail(name)}
            value={mail}
            disabled={!inbox}
            onChange={({ target }) =>
              onChange({ inbox, mail: mails.find((one) => one === target.value) ?? mail })
            }
            className="h-8 w-full rounded-md border border-line-strong bg-surface pr-7 pl-2.5 text-base disabled:bg-sunken disabled:text-ink-muted"
          >
            {mails.map((one) => (
              <option key={one} value={one}>
                {words.mails[one]}
              </option>
            ))}
          </select>
        )}
      </td>
    </tr>
  );
}
