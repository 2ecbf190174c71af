import { api } from '../api.ts';
import { queryClient } from './query-client.ts';
import { forgetOrganizationChoice } from './organization-choice.ts';
import { expectOwnEnd, onSessionBegun, takeSessionEnd, type SessionEnd } from './session-end.ts';

/** Tells other tabs that somebody, perhaps somebody else, has logged in. */
const tabs = new BroadcastChannel('atelier_session');

export async function hasSession(): Promise<boolean> {
  return (await api.session.get()) !== null;
}

/** To be called after each login: nothing of whoever was here before is shown to the next one. */
export function beginSession(): void {
  onSessionBegun();
  queryClient.clear();
  // A channel has no other origins, so it takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('begun');
}

/** Ends what somebody who logs out leaves unfinished, while they still may. */
type Farewell = () => Promise<unknown>;

const farewells: Farewell[] = [];
const farewellMs = 2000;

/** Has it called before each logout; it gets two seconds. */
export function beforeLogOut(farewell: Farewell): void {
  farewells.push(farewell);
}

/** Logs out here and in every tab. */
export async function logOut(): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, farewellMs));
  await Promise.race([Promise.allSettled(farewells.map((farewell) => farewell())), patience]);
  expectOwnEnd();
  void queryClient.cancelQueries();
  // As well as it can: the tokens are forgotten in any case.
  await api.auth.logout().catch(() => {});
}

interface SessionFollower {
  readonly onBegin: () => void;
  /** Settles when no page of the session is shown any more. */
  readonly onEnd: (reason: SessionEnd) => Promise<void>;
}

/** Follows the session of all tabs; gives back what ends that. */
export function followSession({ onBegin, onEnd }: SessionFollower): () => void {
  let isIn: boolean | undefined;
  void hasSession().then((has) => {
    isIn ??= has;
  });
  const onBegun = () => {
    onSessionBegun();
    void queryClient.resetQueries();
    onBegin();
  };
  tabs.addEventListener('message', onBegun);
  const end = api.session.onChange(() => {
    void hasSession().then((has) => {
      const was = isIn;
      isIn = has;
      if (has && !was) onBegin();
      if (has || was === false) return;
      const reason = takeSessionEnd();
      void queryClient.cancelQueries();
      // A page that is still shown would read again what is taken from it.
      void onEnd(reason).finally(() => {
        queryClient.clear();
        // Who logs in next may be somebody else; after an expiry it is the same person.
        if (reason === 'own') forgetOrganizationChoice();
      });
    });
  });
  return () => {
    end();
    tabs.removeEventListener('message', onBegun);
  };
}
