import type { ReactNode } from 'react';
import { useWaitingCount } from '../approvals/use-waiting-count.ts';
import { texts } from '../texts/shell.ts';
import { CountBadge } from './count-badge.tsx';
import { approvalsPage } from './navigation.ts';
import { NavigationLink } from './navigation-link.tsx';

interface WaitingApprovalsProps {
  readonly onNavigate: (() => void) | undefined;
}

/** Leads to the calls of assistants that wait for a decision; nothing without any. */
export default function WaitingApprovals({ onNavigate }: WaitingApprovalsProps): ReactNode {
  const count = useWaitingCount();
  return count === 0 ? null : (
    <NavigationLink destination={approvalsPage} onNavigate={onNavigate}>
      <CountBadge count={String(count)} label={texts.waiting} />
    </NavigationLink>
  );
}
