import type { User } from '@atelier/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useId, useSyncExternalStore, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { accountKeys } from '../../session/account.ts';
import { chooseTheme, themeChoice } from '../../shell/theme.ts';
import { texts } from '../../texts/profile.ts';
import { notifyFailure } from '../../ui/notices.tsx';
import { Section } from '../../ui/section.tsx';

const { preferences: words } = texts;

const themes = [
  { value: 'system', label: words.themes.system, icon: Monitor },
  { value: 'light', label: words.themes.light, icon: Sun },
  { value: 'dark', label: words.themes.dark, icon: Moon },
] as const;

export function PreferencesSection({ user }: { readonly user: User }): ReactNode {
  return (
    <Section title={words.title}>
      <div className="flex flex-col gap-5">
        <MailNotices user={user} />
        <ThemeChoice />
      </div>
    </Section>
  );
}

function MailNotices({ user }: { readonly user: User }): ReactNode {
  const id = useId();
  const client = useQueryClient();
  const show = (account: User): unknown => client.setQueryData(accountKeys.user, account);
  const change = useMutation({
    mutationFn: (mailNotices: boolean) => api.profile.update({ body: { mailNotices } }),
    onMutate: (mailNotices) => show({ ...user, mailNotices }),
    onSuccess: show,
    onError(error) {
      show(user);
      notifyFailure(error);
    },
  });
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {words.mailNotices}
        </label>
        <p id={`${id}-hint`} className="text-sm text-ink-muted">
          {words.mailNoticesHint}
        </p>
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-describedby={`${id}-hint`}
        checked={user.mailNotices}
        onChange={({ target }) => change.mutate(target.checked)}
        className="relative mt-0.5 h-6 w-11 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-sunken transition-colors after:absolute after:top-0.5 after:left-0.5 after:size-4.5 after:rounded-full after:bg-line-strong after:transition-[translate] checked:border-accent checked:bg-accent checked:after:translate-x-5 checked:after:bg-on-accent"
      />
    </div>
  );
}

function ThemeChoice(): ReactNode {
  const theme = useSyncExternalStore(themeChoice.subscribe, themeChoice.get);
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{words.theme}</legend>
      <div className="grid max-w-xl grid-cols-1 gap-2 min-[26rem]:grid-cols-3">
        {themes.map(({ value, label, icon: Icon }) => (
          <label
            key={value}
            className="flex cursor-pointer items-center gap-2.5 rounded-md border border-line-strong bg-surface px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={theme === value}
              onChange={() => chooseTheme(value)}
              className="sr-only"
            />
            <Icon aria-hidden className="size-4 shrink-0" />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
