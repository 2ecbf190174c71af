import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/welcome.ts';
import { buttonClass } from '../../ui/button.tsx';
import { rememberInvitation } from '../remembered-invitation.ts';

/** Offers sign-in and sign-up to anonymous visitors; both return to the invitation. */
export function SignInFirst({ token }: { readonly token: string }): ReactNode {
  const redirect = `/invitations/${encodeURIComponent(token)}`;
  return (
    <div className="flex flex-col gap-2">
      <p className="mb-2 text-ink-muted">{texts.invitation.signInFirst}</p>
      <Link to="/login" search={{ redirect }} className={buttonClass('primary')}>
        {texts.signIn}
      </Link>
      <Link
        to="/register"
        search={{ redirect }}
        onClick={() => rememberInvitation(redirect)}
        className={buttonClass()}
      >
        {texts.invitation.register}
      </Link>
    </div>
  );
}
