import { useEffect, type ReactNode } from 'react';
import { signOut } from '../session/session.ts';
import { texts } from '../texts/sign-out.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { usePendingCount } from '../unsent/request-sign-out.ts';

/** Asks whether to sign out although changes aren't acknowledged yet. */
export default function SignOutDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const count = usePendingCount();
  const confirm = () => {
    onClose();
    void signOut();
  };
  useEffect(() => {
    // Nothing is lost any more.
    if (count > 0) return;
    onClose();
    void signOut();
  }, [count, onClose]);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.title(count)}
      action={texts.action(count)}
      onConfirm={confirm}
    >
      {texts.lost(count)}
    </ConfirmDialog>
  );
}
