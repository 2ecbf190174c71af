import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { accountKeys } from '../../session/account.ts';
import { queryClient } from '../../session/query-client.ts';
import { texts } from '../../texts/welcome.ts';
import { MailedLinkButton } from '../mailed-link-button.tsx';

/** Gives an account the email whose mailbox got the link. */
export default function ChangeEmailPage(): ReactNode {
  const { token } = useSearch({ from: '/change-email' });
  async function change(given: string): Promise<{ email: string }> {
    const changed = await api.account.confirmEmailChange({ body: { token: given } });
    // The session that asked for it stays open.
    void queryClient.invalidateQueries({ queryKey: accountKeys.user });
    return changed;
  }
  return <MailedLinkButton token={token} words={texts.changeEmail} send={change} />;
}
