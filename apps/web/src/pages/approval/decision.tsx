import type { Approval } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Undo2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../../session/account.ts';
import { api } from '../../session/api.ts';
import { useOrganizationMutation, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/approvals.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeLeft } from './time-left.tsx';

const words = texts.decision;

interface ApprovalProps {
  readonly approval: Approval;
}

/** Lets the user decide on a call, and shows the outcome. */
export function Decision({ approval }: ApprovalProps): ReactNode {
  const { id, status, expiresAt } = approval;
  const client = useQueryClient();
  const queries = useOrganizationQueries();
  const params = { id };
  const decide = useOrganizationMutation({
    change: (decision: 'approve' | 'refuse', options) =>
      api.approvals[decision]({ params }, options),
    invalidates: [['approvals'], ['timeline']],
    onDone: (decided) => client.setQueryData(queries.approvals.get.queryKey({ params }), decided),
  });
  const busy = decide.isPending ? decide.variables : null;
  return (
    <Section title={words.title}>
      {status === 'WAITING' ? (
        <>
          <p>{words.effect}</p>
          <p className="mt-1 text-ink-muted">{words.caution}</p>
        </>
      ) : null}
      {/* There from the start, so that screen readers read what it is filled with. */}
      <p role="status" className="font-medium wrap-anywhere">
        <Outcome approval={approval} />
      </p>
      {status === 'WAITING' || status === 'APPROVED' ? (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <TimeLeft until={expiresAt} />
          <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
            <Button
              icon={status === 'WAITING' ? X : Undo2}
              isBusy={busy === 'refuse'}
              disabled={busy === 'approve'}
              onClick={() => decide.mutate('refuse')}
            >
              {status === 'WAITING' ? words.refuse : words.takeBack}
            </Button>
            {status === 'WAITING' ? (
              <Button
                tone="primary"
                icon={Check}
                isBusy={busy === 'approve'}
                disabled={busy === 'refuse'}
                onClick={() => decide.mutate('approve')}
              >
                {words.approve}
              </Button>
            ) : null}
          </div>
        </div>
      ) : null}
    </Section>
  );
}

/** Says what has come of a call; nothing while it waits. */
function Outcome({ approval: { status, decidedBy } }: ApprovalProps): ReactNode {
  const isOwn = useUser()?.id === decidedBy?.id;
  const [before = '', after] = sentenceOf(status, { isDecided: decidedBy !== null, isOwn }).split(
    '{name}',
  );
  return (
    <>
      {before}
      {after === undefined ? null : (
        <>
          <bdi>{decidedBy?.displayName}</bdi>
          {after}
        </>
      )}
    </>
  );
}

interface Decided {
  readonly isDecided: boolean;
  /** By the user. */
  readonly isOwn: boolean;
}

function sentenceOf(status: Approval['status'], { isDecided, isOwn }: Decided): string {
  switch (status) {
    case 'WAITING':
      return '';
    case 'APPROVED':
      return isOwn ? words.approved : words.approvedBy;
    case 'REFUSED':
      return isOwn ? words.refused : words.refusedBy;
    case 'USED':
      return isOwn ? words.used : words.usedBy;
    default:
      return isDecided ? words.unused : words.expired;
  }
}
