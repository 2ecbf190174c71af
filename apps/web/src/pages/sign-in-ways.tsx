import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { texts } from '../texts/welcome.ts';
import { buttonClass } from '../ui/button.tsx';
import { keepDestination } from './destination.ts';
import { GithubMark, GoogleMark } from './provider-marks.tsx';

interface SignInWaysProps {
  /** Where to go on afterwards. */
  readonly redirect: string | undefined;
}

/** The two other ways to sign in; the browser leaves the app and comes back to `/loading`. */
export function SignInWays({ redirect }: SignInWaysProps): ReactNode {
  const ways = [
    { label: texts.providers.google, href: api.auth.startGoogle.url(), mark: <GoogleMark /> },
    { label: texts.providers.github, href: api.auth.startGithub.url(), mark: <GithubMark /> },
  ];
  return (
    <div className="flex flex-col gap-2">
      <p className="mt-5 mb-3 flex items-center gap-3 text-xs text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {texts.or}
      </p>
      {ways.map(({ label, href, mark }) => (
        <a
          key={href}
          href={href}
          onClick={() => keepDestination(redirect)}
          className={buttonClass()}
        >
          {mark}
          {label}
        </a>
      ))}
    </div>
  );
}
