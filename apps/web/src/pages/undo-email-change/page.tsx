import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/welcome.ts';
import { MailedLinkButton } from '../mailed-link-button.tsx';

/** Gives an account its former email back. */
export default function UndoEmailChangePage(): ReactNode {
  const { token } = useSearch({ from: '/undo-email-change' });
  return (
    <MailedLinkButton
      token={token}
      words={texts.undoEmailChange}
      send={(given) => api.account.undoEmailChange({ body: { token: given } })}
    />
  );
}
