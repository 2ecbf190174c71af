import { api } from './api.ts';
import { stopAsking } from './confirmed.ts';
import { queryClient } from './query-client.ts';
import { forgetRecent } from './recent-key.ts';
import { forgetSelectedOrganization } from './selected-organization.ts';
import { startNextSession } from '../unsent/session-mark.ts';
import {
  forgetSignOut,
  markSigningOut,
  takeSessionEndReason,
  tellSignOut,
  type SessionEndReason,
} from './session-end.ts';
import { wipeStored } from './wipe.ts';

/** Tells other tabs that a user, perhaps another one, has signed in. */
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
export function startSession(): void {
  forgetSignOut();
  forgetSession();
  // A BroadcastChannel is same-origin and takes no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('started');
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

/** Signs out in every tab. */
export async function signOut(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, hookTimeoutMs));
  // First: a session that ends during the hooks is signed out, too.
  markSigningOut();
  await Promise.race([Promise.allSettled(signOutHooks.map((hook) => hook())), timeout]);
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
  /** Settles when no page that needs the session is shown. */
  readonly onEnd: (reason: SessionEndReason) => Promise<void>;
}

/**
 * Watches the session in all tabs.
 *
 * @returns a cleanup function
 */
export function watchSession({ onStart, onEnd }: SessionListener): () => void {
  let isSignedIn: boolean | undefined;
  void hasSession().then((has) => {
    isSignedIn ??= has;
    // It ended while no tab was open.
    if (!has) wipeStored();
  });
  const onStarted = () => {
    stopAsking();
    startNextSession();
    queryClient.getMutationCache().clear();
    void queryClient.resetQueries();
    onStart();
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
      if (reason === 'elsewhere') for (const hook of signOutHooks) hook().catch(() => {});
      void onEnd(reason).finally(() => {
        forgetSession();
        // After a sign-out the next user may be another one; after an expiry it is the same.
        if (reason !== 'own') return;
        forgetSelectedOrganization();
        forgetRecent();
      });
    });
  });
  return () => {
    unsubscribe();
    tabs.removeEventListener('message', onStarted);
  };
}
