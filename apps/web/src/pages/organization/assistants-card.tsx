import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWaitingCount } from '../../approvals/use-waiting-count.ts';
import { texts as approvals } from '../../texts/approvals.ts';
import { texts } from '../../texts/organization.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';

const { assistants: words } = texts;

/** Leads to the calls of assistants that the user decides on. */
export default function AssistantsCard(): ReactNode {
  const count = useWaitingCount();
  return (
    <Section
      title={words.title}
      hint={words.hint}
      actions={
        <div className="flex flex-wrap items-center gap-3">
          {count > 0 ? <Badge tone="warning">{approvals.waitingCount(count)}</Badge> : null}
          <Link to="/approvals" className={buttonClass()}>
            {words.approvals}
          </Link>
        </div>
      }
    />
  );
}
