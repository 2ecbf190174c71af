import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useUser } from '../session/account.ts';
import { texts } from '../texts/shell.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, MenuRadioGroup, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { requestSignOut } from '../unsent/request-sign-out.ts';
import { accountPages } from './navigation.ts';
import { chooseTheme, themeChoice } from './theme.ts';

const { account } = texts;

const themes = [
  { value: 'system', label: account.themes.system, icon: Monitor },
  { value: 'light', label: account.themes.light, icon: Sun },
  { value: 'dark', label: account.themes.dark, icon: Moon },
] as const;

/** Shows the signed-in user and the account menu. */
export function AccountMenu(): ReactNode {
  const user = useUser();
  const navigate = useNavigate();
  const theme = useSyncExternalStore(themeChoice.subscribe, themeChoice.get);
  if (!user) return <Skeleton className="h-12" />;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex items-center gap-2.5 rounded-md p-2 text-left hover:bg-hover data-[state=open]:bg-hover"
        >
          <Avatar name={user.displayName} url={user.avatarUrl} />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">
              <span className="sr-only">{account.menu} </span>
              {user.displayName}
            </span>
            <span className="block truncate text-xs text-ink-muted">{user.email}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-muted" />
        </button>
      }
    >
      {accountPages.map(({ to, label, icon }) => (
        <MenuItem key={to} icon={icon} onSelect={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuLabel>{account.theme}</MenuLabel>
      <MenuRadioGroup value={theme} onChange={chooseTheme} options={themes} />
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={requestSignOut}>
        {account.signOut}
      </MenuItem>
    </Menu>
  );
}
