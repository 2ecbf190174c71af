import { beginSignIn, type SignInProvider } from '@atelier/client/sign-in';
import type { ReactNode } from 'react';
import { api } from '../session/api.ts';
import { texts } from '../texts/welcome.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notices.tsx';
import { saveDestination } from './destination.ts';
import { GithubMark, GoogleMark } from './provider-marks.tsx';

interface ProviderButtonsProps {
  /** Where to continue after the sign-in. */
  readonly redirect: string | undefined;
}

const providers = [
  { provider: 'google', mark: <GoogleMark /> },
  { provider: 'github', mark: <GithubMark /> },
] as const;

/** Starts a sign-in with Google or GitHub; the provider redirects back to `/loading`. */
export function ProviderButtons({ redirect }: ProviderButtonsProps): ReactNode {
  async function redirectTo(provider: SignInProvider): Promise<void> {
    try {
      const address = await beginSignIn(api, provider);
      saveDestination(redirect);
      location.assign(address);
    } catch {
      // The sign-in can't be completed without its secret in the browser's storage.
      notify(texts.providers.noStorage, { tone: 'danger' });
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="mt-5 mb-3 flex items-center gap-3 text-xs text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {texts.or}
      </p>
      {providers.map(({ provider, mark }) => (
        <Button key={provider} onClick={() => void redirectTo(provider)}>
          {mark}
          {texts.providers[provider]}
        </Button>
      ))}
    </div>
  );
}
