import { Suspense, type ReactNode } from 'react';
import { lazyDialog } from '../loading/lazy.tsx';

const Dialog = lazyDialog(() => import('./create-team-dialog.tsx'));

interface CreateTeamProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows the dialog that creates a team; loaded when first opened. */
export function CreateTeam({ isOpen, onClose }: CreateTeamProps): ReactNode {
  return isOpen ? (
    <Suspense>
      <Dialog onClose={onClose} />
    </Suspense>
  ) : null;
}
