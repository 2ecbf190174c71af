import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/welcome.ts';
import { MailedLinkButton } from '../mailed-link-button.tsx';

/** Keeps an account that waits for its deletion. */
export default function KeepAccountPage(): ReactNode {
  const { token } = useSearch({ from: '/keep-account' });
  return (
    <MailedLinkButton
      token={token}
      words={texts.keep}
      send={(given) => api.account.cancelDeletion({ body: { token: given } })}
    />
  );
}
