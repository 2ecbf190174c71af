import type { Asset } from '@atelier/client';
import type { ReactNode } from 'react';
import { ReviewChip } from '../../../library/review-chip.tsx';
import { useHasRole } from '../../../session/account.ts';
import { api } from '../../../session/api.ts';
import { useOrganizationMutation } from '../../../session/queries.ts';
import { texts } from '../../../texts/asset-comments.ts';
import { texts as words } from '../../../texts/review-status.ts';
import { FilterSelect } from '../../../ui/filter-select.tsx';
import { keysOf } from '../../../ui/options.ts';
import { Time } from '../../../ui/time.tsx';
import { useMemberName } from '../member-names.ts';

type ReviewStatus = Asset['review']['status'];

const options = keysOf(words.statuses).map((value) => ({ value, label: words.statuses[value] }));

/** Shows the review of the current version, and lets members change it. */
export function ReviewStatusControl({ asset }: { readonly asset: Asset }): ReactNode {
  const { id, review } = asset;
  const mayChange = useHasRole('MEMBER');
  const nameOf = useMemberName();
  const change = useOrganizationMutation({
    change: (status: ReviewStatus, request) =>
      api.assets.review({ params: { id }, body: { status } }, request),
    invalidates: [['assets'], ['timeline']],
  });
  return (
    <section aria-label={texts.status} className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        {mayChange ? (
          <FilterSelect
            label={words.label}
            value={change.isPending ? change.variables : review.status}
            options={options}
            onChange={(next) => next && change.mutate(next)}
          />
        ) : (
          <ReviewChip review={review} />
        )}
      </div>
      {review.changedAt && review.changedBy ? (
        <p className="text-sm text-ink-muted">
          {texts.changed} <Time at={review.changedAt} /> {texts.by(nameOf(review.changedBy))}
        </p>
      ) : null}
    </section>
  );
}
