import { Outlet, useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../loading/lazy.tsx';
import { useOrganization, useUser } from '../session/account.ts';
import { question, stopAsking } from '../session/confirmed.ts';
import { learnUser } from '../session/last-user.ts';
import { isSwitchingOrganization } from '../session/switch-organization.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/shell.ts';
import { Drawer } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { isPageKept } from '../ui/use-kept-page.ts';
import { refuseFiles } from '../uploads/refuse-files.ts';
import { signOutQuestion } from '../unsent/request-sign-out.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { keysHelp } from './keys-state.ts';
import { useLiveUpdates } from './live.ts';
import { PageLoading } from './page-states.tsx';
import { isPaletteShortcut, openPalette, palette } from './palette-state.ts';
import { Sidebar } from './sidebar.tsx';
import { UnreadBell } from './unread.tsx';
import { workOfflineWhenIdle } from './work-offline.ts';

const Palette = lazyDialog(() => import('./palette.tsx'));
const EnrollmentNotice = lazyPart(
  () => import('./enrollment-notice.tsx'),
  () => null,
);
const Keys = lazyPart(
  () => import('./keys.tsx'),
  () => null,
);
const UploadDropZone = lazyPart(
  () => import('../uploads/drop-zone.tsx'),
  () => null,
);
const UploadTray = lazyPart(
  () => import('../uploads/tray.tsx'),
  () => null,
);
const ConfirmationDialog = lazyDialog(() => import('./confirmation-dialog.tsx'));
const SignOutDialog = lazyDialog(() => import('./sign-out-dialog.tsx'));

/** Lays out the pages that need a session. */
export default function AppShell(): ReactNode {
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const isPaletteOpen = useSyncExternalStore(palette.subscribe, palette.get);
  const isAsked = useSyncExternalStore(question.subscribe, question.get) !== null;
  const isSigningOut = useSyncExternalStore(signOutQuestion.subscribe, signOutQuestion.get);
  const isSwitching = useSyncExternalStore(
    isSwitchingOrganization.subscribe,
    isSwitchingOrganization.get,
  );
  const organization = useOrganization();
  const userId = useUser()?.id;
  useEffect(() => {
    if (userId !== undefined) learnUser(userId);
  }, [userId]);
  useLiveUpdates();
  useEffect(workOfflineWhenIdle, []);
  useEffect(refuseFiles, []);
  useEffect(() => closeDialogs, []);
  useFocusOnNavigation();
  usePaletteShortcut();
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        {texts.skipToContent}
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-canvas lg:block">
        <Sidebar />
      </aside>
      <header className="sticky top-0 z-20 flex items-center gap-1 border-b border-line bg-canvas px-2 py-1.5 lg:hidden">
        <IconButton
          icon={MenuIcon}
          label={texts.openNavigation}
          onClick={() => setDrawerOpen(true)}
        />
        <span className="flex-1 px-1 font-semibold">{shared.product}</span>
        <UnreadBell />
        <IconButton icon={Search} label={texts.search} onClick={openPalette} />
      </header>
      <main id="main" tabIndex={-1} className="min-w-0">
        <ConnectionBar />
        <Suspense>
          {organization?.secondFactorRequiredFrom ? (
            <EnrollmentNotice
              organizationName={organization.name}
              requiredFrom={organization.secondFactorRequiredFrom}
            />
          ) : null}
        </Suspense>
        {isSwitching ? <PageLoading /> : <Outlet />}
      </main>
      <Drawer
        isOpen={isDrawerOpen}
        onClose={() => setDrawerOpen(false)}
        title={texts.navigation}
        isTitleHidden
        side="left"
        size="xs"
      >
        <Sidebar onNavigate={() => setDrawerOpen(false)} />
      </Drawer>
      <Suspense>
        <Keys />
      </Suspense>
      <Suspense>
        <UploadDropZone />
        <UploadTray />
      </Suspense>
      {isPaletteOpen ? (
        <Suspense>
          <Palette onClose={() => palette.set(false)} />
        </Suspense>
      ) : null}
      {isAsked ? (
        <Suspense>
          <ConfirmationDialog onClose={stopAsking} />
        </Suspense>
      ) : null}
      {isSigningOut ? (
        <Suspense>
          <SignOutDialog onClose={() => signOutQuestion.set(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The session may end while they are open, in another tab: the next one begins without them. */
function closeDialogs(): void {
  for (const dialog of [palette, keysHelp, signOutQuestion]) dialog.set(false);
}

/** Moves the focus to the start of a new page, for keyboard and screen reader users. */
function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) document.querySelector<HTMLElement>('#main')?.focus();
      }),
    [router],
  );
}

function usePaletteShortcut(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!isPaletteShortcut(event)) return;
      event.preventDefault();
      // It leads elsewhere, also to other organizations.
      palette.set(!palette.get() && !isPageKept());
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
