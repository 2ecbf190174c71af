import type { Collection } from '@atelier/client';
import { api } from '../session/api.ts';
import { useOrganizationMutation, type TopicKey } from '../session/queries.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { notify } from '../ui/notices.tsx';
import { declareChange } from '../unsent/declare.ts';
import { useChange } from '../unsent/use-change.ts';
import { editCollection } from './library-cache.ts';

const invalidates: readonly TopicKey[] = [['collections'], ['assets'], ['timeline']];

const favoriteCollection = declareChange({
  name: 'collections.favorite',
  send: ({ id, isFavorite }: { id: string; isFavorite: boolean }, options) =>
    api.collections.favorite({ params: { id }, body: { isFavorite } }, options),
  invalidates: [['collections'], ['timeline']],
  show: (cache, { id, isFavorite }) =>
    editCollection(cache, id, (collection) => ({ ...collection, isFavorite })),
  items: ({ id }) => [id],
});

/** Adds a collection to the favorites or removes it. */
export function useFavoriteCollection() {
  return useChange(favoriteCollection);
}

/** Moves a collection with its assets to the bin and offers to undo it. */
export function useDeleteCollection() {
  const restore = useOrganizationMutation({
    change: ({ id }: Collection, options) => api.collections.restore({ params: { id } }, options),
    invalidates,
    onDone: ({ title }) => notify(texts.restored(title)),
  });
  return useOrganizationMutation({
    change: ({ id }: Collection, options) => api.collections.remove({ params: { id } }, options),
    invalidates,
    optimistic: (cache, { id }) => editCollection(cache, id, () => null),
    onDone: (_, collection) =>
      notify(texts.deletedCollection(collection.title, collection.assetCount), {
        action: { label: shared.undo, run: () => restore.mutate(collection) },
      }),
  });
}
