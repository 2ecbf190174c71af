import { beginSignIn, type SignInProvider } from '@atelier/client/sign-in';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { texts } from '../texts/welcome.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notices.tsx';
import { keepDestination } from './destination.ts';
import { GithubMark, GoogleMark } from './provider-marks.tsx';

interface SignInWaysProps {
  /** Where to go on afterwards. */
  readonly redirect: string | undefined;
}

const ways = [
  { provider: 'google', mark: <GoogleMark /> },
  { provider: 'github', mark: <GithubMark /> },
] as const;

/** The two other ways to sign in; the browser leaves the app and comes back to `/loading`. */
export function SignInWays({ redirect }: SignInWaysProps): ReactNode {
  async function leaveFor(provider: SignInProvider): Promise<void> {
    try {
      const address = await beginSignIn(api, provider);
      keepDestination(redirect);
      location.assign(address);
    } catch {
      // Without the secret that was to be kept, the sign-in could not be completed.
      notify(texts.providers.noStorage, { tone: 'danger' });
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="mt-5 mb-3 flex items-center gap-3 text-xs text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {texts.or}
      </p>
      {ways.map(({ provider, mark }) => (
        <Button key={provider} onClick={() => void leaveFor(provider)}>
          {mark}
          {texts.providers[provider]}
        </Button>
      ))}
    </div>
  );
}
