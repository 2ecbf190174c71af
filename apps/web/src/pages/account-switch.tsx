import type { User } from '@atelier/client';
import { useId, type ReactNode } from 'react';
import { accountKeys } from '../session/account.ts';
import { api } from '../session/api.ts';
import { useOrganizationMutation } from '../session/queries.ts';

interface AccountSwitchProps {
  readonly user: User;
  readonly field: 'mailSignIns';
  readonly label: string;
  readonly hint: string;
}

/** Turns one preference of the account on or off. */
export function AccountSwitch({ user, field, label, hint }: AccountSwitchProps): ReactNode {
  const id = useId();
  const change = useOrganizationMutation({
    change: (isOn: boolean) => api.profile.update({ body: { [field]: isOn } }),
    invalidates: [['auth', 'user']],
    optimistic: (client, isOn) =>
      client.setQueryData<User>(
        accountKeys.user,
        (account) => account && { ...account, [field]: isOn },
      ),
  });
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-sm text-ink-muted">
          {hint}
        </p>
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-describedby={`${id}-hint`}
        checked={user[field]}
        onChange={({ target }) => change.mutate(target.checked)}
        className="relative mt-0.5 h-6 w-11 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-sunken transition-colors after:absolute after:top-0.5 after:left-0.5 after:size-4.5 after:rounded-full after:bg-line-strong after:transition-[translate] checked:border-accent checked:bg-accent checked:after:translate-x-5 checked:after:bg-on-accent"
      />
    </div>
  );
}
