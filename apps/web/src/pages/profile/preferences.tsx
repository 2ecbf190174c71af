import { Monitor, Moon, Sun } from 'lucide-react';
import { useId, useSyncExternalStore, type ReactNode } from 'react';
import { chooseTheme, themeChoice } from '../../shell/theme.ts';
import { texts } from '../../texts/profile.ts';
import { Section } from '../../ui/section.tsx';

const { preferences: words } = texts;

const themes = [
  { value: 'system', label: words.themes.system, icon: Monitor },
  { value: 'light', label: words.themes.light, icon: Sun },
  { value: 'dark', label: words.themes.dark, icon: Moon },
] as const;

export function PreferencesSection(): ReactNode {
  return (
    <Section title={words.title}>
      <ThemeChoice />
    </Section>
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
