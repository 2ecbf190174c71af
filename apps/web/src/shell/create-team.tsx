import { lazy, Suspense, type ReactNode } from 'react';

const Dialog = lazy(() => import('./create-team-dialog.tsx'));

interface CreateTeamProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The dialog to create a team; its script comes when it is opened. */
export function CreateTeam({ isOpen, onClose }: CreateTeamProps): ReactNode {
  return isOpen ? (
    <Suspense>
      <Dialog onClose={onClose} />
    </Suspense>
  ) : null;
}
