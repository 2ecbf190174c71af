import type { Collection } from '@atelier/client';
import { api } from '../api.ts';
import { useOrganizationChange, type TopicKey } from '../session/queries.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { notify } from '../ui/notices.tsx';
import { editCollection } from './library-cache.ts';

const touches: readonly TopicKey[] = [['collections'], ['assets'], ['bin'], ['timeline']];

/** Marks a collection, or takes the mark away. */
export function useFavoriteCollection() {
  return useOrganizationChange({
    change: ({ id, isFavorite }: { id: string; isFavorite: boolean }, options) =>
      api.collections.favorite({ params: { id }, body: { isFavorite } }, options),
    touches: [['collections'], ['timeline']],
    optimistic: (cache, { id, isFavorite }) =>
      editCollection(cache, id, (collection) => ({ ...collection, isFavorite })),
  });
}

/** Moves a collection with its assets to the bin, and offers to take it back. */
export function useDeleteCollection() {
  const restore = useOrganizationChange({
    change: ({ id }: Collection, options) => api.collections.restore({ params: { id } }, options),
    touches,
    onDone: ({ title }) => notify(texts.restored(title)),
  });
  return useOrganizationChange({
    change: ({ id }: Collection, options) => api.collections.remove({ params: { id } }, options),
    touches,
    optimistic: (cache, { id }) => editCollection(cache, id, () => null),
    onDone: (_answer, collection) =>
      notify(texts.deletedCollection(collection.title, collection.assetCount), {
        action: { label: shared.undo, run: () => restore.mutate(collection) },
      }),
  });
}
