import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useOrganizationMutation, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/bin-dialogs.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorText } from '../../ui/error-texts.ts';
import { Failed } from '../../ui/load.tsx';
import { notify } from '../../ui/notices.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useQueryError } from '../../ui/use-query-error.ts';

interface EmptyDialogProps {
  readonly scope: 'personal' | 'organization';
  readonly isTeam: boolean;
  readonly onClose: () => void;
}

/** Asks before everything in the bin is deleted, and says how much that is. */
export default function EmptyDialog({ scope, isTeam, onClose }: EmptyDialogProps): ReactNode {
  const queries = useOrganizationQueries();
  const query = { scope, limit: 1 };
  const binnedAssets = useQuery(queries.assets.bin.queryOptions({ query }));
  const binnedCollections = useQuery(queries.collections.bin.queryOptions({ query }));
  const assetsError = useQueryError(binnedAssets);
  const error = useQueryError(binnedCollections) ?? assetsError;
  const assets = binnedAssets.data?.pagination;
  const collections = binnedCollections.data?.pagination;
  const empty = useOrganizationMutation({
    change: (_: null, options) => api.assets.emptyBin({ query: { scope } }, options),
    invalidates: [['assets'], ['collections'], ['timeline'], ['plans']],
    onDone() {
      notify(texts.emptied);
      onClose();
    },
    // The dialog shows the error.
    onFailed() {},
  });
  if (error && !(assets && collections)) {
    return (
      <Dialog isOpen onClose={onClose} title={texts.emptyTitle} size="sm">
        <Failed
          error={error}
          onRetry={() => {
            void binnedAssets.refetch();
            void binnedCollections.refetch();
          }}
        />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.emptyTitle}
      action={texts.emptyAction}
      isBusy={empty.isPending}
      error={empty.error ? errorText(empty.error) : undefined}
      onConfirm={() => empty.mutate(null)}
    >
      {assets && collections ? (
        <p className="text-ink">
          {assets.total + collections.total === 0
            ? texts.emptyAlready
            : texts.emptyCount(
                texts.assetCount(assets.total, assets.isTotalLowerBound ?? false),
                collections.total === 0
                  ? null
                  : texts.collectionCount(
                      collections.total,
                      collections.isTotalLowerBound ?? false,
                    ),
              )}
        </p>
      ) : (
        <Skeleton className="h-12 w-full" />
      )}
      {isTeam ? (
        <p>{scope === 'organization' ? texts.emptyScope.everyone : texts.emptyScope.mine}</p>
      ) : null}
    </ConfirmDialog>
  );
}
