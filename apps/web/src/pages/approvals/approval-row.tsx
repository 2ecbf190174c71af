import type { Approval } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { ApiKeyOf } from '../../approvals/api-key-of.tsx';
import { ApprovalStatus } from '../../approvals/status.tsx';
import { visible } from '../../approvals/visible.ts';
import { texts } from '../../texts/approvals.ts';
import { Time } from '../../ui/time.tsx';

/** Shows one call of the list: what it does to what, who asks, and when it ends. */
export function ApprovalRow({ approval }: { readonly approval: Approval }): ReactNode {
  const { id, title, records, status, createdAt, expiresAt } = approval;
  const isOpen = status === 'WAITING' || status === 'APPROVED';
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <Link
          to="/approvals/$id"
          params={{ id }}
          className="line-clamp-3 font-medium wrap-anywhere hover:underline"
        >
          {title}
          {records.map((record, at) => (
            <Fragment key={`${record.argument} ${record.id}`}>
              {at === 0 ? ': ' : ', '}
              <bdi>{visible(record.name)}</bdi>
            </Fragment>
          ))}
        </Link>
        <p className="mt-0.5 text-sm wrap-anywhere text-ink-muted">
          <ApiKeyOf approval={approval} />
        </p>
        <p className="mt-0.5 text-sm text-ink-muted">
          {texts.facts.requested} <Time at={createdAt} />
          {isOpen ? (
            <>
              {' · '}
              {texts.ends} <Time at={expiresAt} />
            </>
          ) : null}
        </p>
      </div>
      <ApprovalStatus status={status} />
    </li>
  );
}
