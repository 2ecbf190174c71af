import type { PublicAsset } from '@atelier/client';
import type { ShareVisit } from '@atelier/client/shares';
import { useInfiniteQuery } from '@tanstack/react-query';
import { maxFollowedComments } from '../review/max-followed.ts';
import { useFollowingPages } from '../ui/use-following-pages.ts';
import { kindOf, type AssetKind } from '../library/asset-kind.ts';

const pollMs = 15_000;
/** Looks no longer for new ones by itself: requests renew the ticket, which counts as an opening. */
const maxPolls = 60;

export interface CommentedAsset {
  /** Identifies the visit in the cache. */
  readonly number: number;
  readonly visit: ShareVisit;
  readonly asset: PublicAsset;
}

/** Fetches what the visitors of a share and members wrote about a file, oldest first. */
export function useSharedComments({ number, visit, asset: { id } }: CommentedAsset) {
  const query = useInfiniteQuery({
    queryKey: ['share', number, 'comments', id],
    queryFn: ({ pageParam }) => visit.comments(id, { cursor: pageParam, limit: 100 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    refetchInterval: ({ state }) => state.dataUpdateCount < maxPolls && pollMs,
    refetchOnWindowFocus: 'always',
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  // What is posted is on the last page.
  useFollowingPages(query, items.length, maxFollowedComments);
  return { ...query, items };
}

/** Returns as what a file is shown, which says where a comment can be placed. */
export function shownKindOf({ visit, asset }: Omit<CommentedAsset, 'number'>): AssetKind {
  if (asset.preview !== 'NONE') return 'image';
  return visit.share.allowDownload ? kindOf({ assetType: asset.contentType }) : 'other';
}
