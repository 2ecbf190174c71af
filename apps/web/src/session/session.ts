import type { SignedIn } from '@atelier/client';
import { api } from './api.ts';
import { stopAsking } from './confirmed.ts';
import { forgetUser, isAnotherUser, rememberUser } from './last-user.ts';
import { queryClient } from './query-client.ts';
import { forgetRecent } from './recent-key.ts';
import { forgetSelectedOrganization, readSelectedOrganization } from './selected-organization.ts';
import { startNextSession } from '../unsent/session-mark.ts';
import {
  forgetSignOut,
  markSigningOut,
  takeSessionEndReason,
  tellSignOut,
  type SessionEndReason,
} from './session-end.ts';
import { wipeStored } from './wipe.ts';

/** Tells other tabs the id of the user, perhaps another one, who has signed in. */
const tabs = new BroadcastChannel('atelier_session');

export async function hasSession(): Promise<boolean> {
  return (await api.session.get()) !== null;
}

/** Removes what belongs to a session from this tab and from the browser. */
function forgetSession(): void {
  startNextSession();
  queryClient.clear();
  wipeStored();
}

/** Starts a session after a sign-in: clears the data of the previous user and tells the other tabs. */
export function startSession({ user }: SignedIn): void {
  forgetSignOut();
  if (isAnotherUser(user.id)) forgetLastUser();
  rememberUser(user.id);
  forgetSession();
  // A BroadcastChannel is same-origin and takes no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage(user.id);
}

/** Removes what outlives the sessions of a user from this tab and from the browser. */
function forgetLastUser(): void {
  void runSignOutHooks();
  forgetSelections();
}

/** Takes over the user who has signed in in another tab, which has cleaned up the browser. */
async function replaceUser(userId: string): Promise<void> {
  readSelectedOrganization();
  rememberUser(userId);
  await runSignOutHooks();
}

function forgetSelections(): void {
  forgetSelectedOrganization();
  forgetRecent();
  forgetUser();
}

/** Cleans up, in the tab that signs out while the session is still valid. */
type SignOutHook = () => Promise<unknown>;

const signOutHooks: SignOutHook[] = [];
const hookTimeoutMs = 2000;

/**
 * Registers a hook that runs before each sign-out, for at most two seconds. In other tabs it runs afterwards, without a
 * session.
 */
export function beforeSignOut(hook: SignOutHook): void {
  signOutHooks.push(hook);
}

async function runSignOutHooks(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, hookTimeoutMs));
  await Promise.race([Promise.allSettled(signOutHooks.map((hook) => hook())), timeout]);
}

/** Signs out in every tab. */
export async function signOut(): Promise<void> {
  // First: a session that ends during the hooks is signed out, too.
  markSigningOut();
  await runSignOutHooks();
  // A change between two attempts would find the session gone, and report that it has expired.
  startNextSession();
  queryClient.getMutationCache().clear();
  void queryClient.cancelQueries();
  tellSignOut();
  // The client deletes the tokens even if the request fails.
  await api.auth.logout().catch(() => {});
}

interface SessionListener {
  readonly onStart: () => void;
  /** Called after another user has signed in in another tab. */
  readonly onReplaced: () => void;
  /** Settles when no page that needs the session is shown. */
  readonly onEnd: (reason: SessionEndReason) => Promise<void>;
}

/**
 * Watches the session in all tabs.
 *
 * @returns a cleanup function
 */
export function watchSession({ onStart, onReplaced, onEnd }: SessionListener): () => void {
  let isSignedIn: boolean | undefined;
  void hasSession().then((has) => {
    isSignedIn ??= has;
    // It ended while no tab was open.
    if (!has) wipeStored();
  });
  const onStarted = ({ data: userId }: MessageEvent<string>) => {
    stopAsking();
    startNextSession();
    queryClient.getMutationCache().clear();
    if (isAnotherUser(userId)) {
      void queryClient.cancelQueries();
      void replaceUser(userId).then(onReplaced);
    } else {
      void queryClient.resetQueries();
      onStart();
    }
  };
  tabs.addEventListener('message', onStarted);
  const unsubscribe = api.session.onChange(() => {
    void hasSession().then((has) => {
      const wasSignedIn = isSignedIn;
      isSignedIn = has;
      if (has && !wasSignedIn) onStart();
      if (has || wasSignedIn === false) return;
      const reason = takeSessionEndReason();
      stopAsking();
      void queryClient.cancelQueries();
      // A page that is still shown would refetch the cleared data.
      startNextSession();
      // The tab that signs out has run them.
      if (reason === 'elsewhere') void runSignOutHooks();
      void onEnd(reason).finally(() => {
        forgetSession();
        // After an expiry the same user may sign in again, and after a sign-out elsewhere in this tab.
        if (reason === 'own') forgetSelections();
      });
    });
  });
  return () => {
    unsubscribe();
    tabs.removeEventListener('message', onStarted);
  };
}
