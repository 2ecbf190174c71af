import { Search } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../loading/lazy.tsx';
import { useUser } from '../session/account.ts';
import { texts } from '../texts/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import { navigation } from './navigation.ts';
import { NavigationLink } from './navigation-link.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { openPalette, paletteKeys } from './palette-state.ts';
import { UnreadBadge } from './unread.tsx';

const WaitingApprovals = lazyPart(
  () => import('./waiting-approvals.tsx'),
  () => null,
);

/** Shows the navigation, the organization switcher and the account menu. */
export function Sidebar({ onNavigate }: { readonly onNavigate?: () => void }): ReactNode {
  const user = useUser();
  const groups = navigation.filter(({ isAdmin }) => !isAdmin || user?.platformRole === 'ADMIN');
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <OrganizationSwitcher />
      <button
        type="button"
        onClick={() => {
          onNavigate?.();
          openPalette();
        }}
        className="flex h-9 items-center gap-2.5 rounded-md border border-line bg-surface px-2.5 text-ink-muted hover:text-ink"
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1 text-left">{texts.search}</span>
        <kbd className="hidden rounded-sm border border-line px-1.5 font-sans text-xs lg:inline">
          {paletteKeys}
        </kbd>
      </button>
      <nav aria-label={texts.navigation} className="-mx-1 flex-1 overflow-y-auto px-1">
        {groups.map(({ label, destinations }) => (
          <div key={label ?? ''} className="mb-4">
            {label ? (
              <p className="px-2.5 pb-1 text-xs font-medium text-ink-muted">{label}</p>
            ) : null}
            <ul className="flex flex-col gap-px">
              {destinations.map((destination) => (
                <NavigationLink
                  key={destination.to}
                  destination={destination}
                  onNavigate={onNavigate}
                >
                  {destination.to === '/notifications' ? <UnreadBadge /> : null}
                </NavigationLink>
              ))}
              {label === texts.groups.organization ? (
                <Suspense>
                  <WaitingApprovals onNavigate={onNavigate} />
                </Suspense>
              ) : null}
            </ul>
          </div>
        ))}
      </nav>
      <AccountMenu />
    </div>
  );
}
