import { TransportError, type Asset } from '@atelier/client';
import { api } from '../session/api.ts';
import { errorText } from '../ui/error-texts.ts';
import { useOrganizationMutation, type TopicKey } from '../session/queries.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { notify } from '../ui/notices.tsx';
import { declareChange } from '../unsent/declare.ts';
import { useChange } from '../unsent/use-change.ts';
import { mapConcurrently, type Results } from './concurrent.ts';
import { editAssets } from './library-cache.ts';

type Assets = readonly Asset[];

const invalidates: readonly TopicKey[] = [['assets'], ['collections'], ['timeline']];

const idsOf = (assets: Assets) => assets.map(({ id }) => id);

/** Notifies about the assets that failed while others succeeded. */
function notifyFailures({ done, failures }: Results<unknown, unknown>): void {
  if (failures.length === 0) return;
  const all = done.length + failures.length;
  notify(texts.someFailed(failures.length, all, errorText(failures[0])), { tone: 'danger' });
}

const favoriteAssets = declareChange({
  name: 'assets.favorite',
  send: async ({ ids, isFavorite }: { ids: readonly string[]; isFavorite: boolean }, options) => {
    const results = await mapConcurrently(ids, (id) =>
      api.assets.favorite({ params: { id }, body: { isFavorite } }, options),
    );
    // All of them are sent again; for those that succeeded, it is a no-op.
    for (const failure of results.failures) {
      if (failure instanceof TransportError) throw failure;
    }
    return results;
  },
  invalidates: [['assets'], ['timeline']],
  show: (cache, { ids, isFavorite }) =>
    editAssets(cache, ids, (asset) => ({ ...asset, isFavorite })),
  items: ({ ids }) => ids,
});

/** Adds assets to the favorites or removes them. */
export function useFavoriteAssets() {
  return useChange(favoriteAssets, { onDone: notifyFailures });
}

/** Moves assets to the bin and offers to undo it. */
export function useDeleteAssets() {
  const restore = useOrganizationMutation({
    change: (assets: Assets, options) =>
      mapConcurrently(assets, ({ id }) => api.assets.restore({ params: { id } }, options)),
    invalidates,
    onDone(results) {
      notify(texts.undone);
      notifyFailures(results);
    },
  });
  return useOrganizationMutation({
    change: (assets: Assets, options) =>
      mapConcurrently(assets, ({ id }) => api.assets.remove({ params: { id } }, options)),
    invalidates,
    optimistic: (cache, assets) => editAssets(cache, idsOf(assets), () => null),
    onDone(results) {
      const deleted = results.done.map(({ item }) => item);
      const [first] = deleted;
      const text =
        first && deleted.length === 1
          ? texts.deletedAsset(first.assetName)
          : texts.deletedAssets(deleted.length);
      notify(text, { action: { label: shared.undo, run: () => restore.mutate(deleted) } });
      notifyFailures(results);
    },
  });
}

/** Moves assets to another collection and offers to undo it. */
export function useMoveAssets() {
  const moveBack = useOrganizationMutation({
    change: (assets: Assets, options) =>
      mapConcurrently(assets, ({ id, collectionId }) =>
        api.assets.update({ params: { id }, body: { collectionId } }, options),
      ),
    invalidates,
    onDone(results) {
      notify(texts.undone);
      notifyFailures(results);
    },
  });
  return useOrganizationMutation({
    change: ({ assets, to }: { assets: Assets; to: { id: string; title: string } }, options) =>
      mapConcurrently(assets, ({ id }) =>
        api.assets.update({ params: { id }, body: { collectionId: to.id } }, options),
      ),
    invalidates,
    onDone(results, { to }) {
      const moved = results.done.map(({ item }) => item);
      const [first] = moved;
      const text =
        first && moved.length === 1
          ? texts.moved(first.assetName, to.title)
          : texts.movedSeveral(moved.length, to.title);
      notify(text, { action: { label: shared.undo, run: () => moveBack.mutate(moved) } });
      notifyFailures(results);
    },
    // The dialog shows the error.
    onFailed() {},
  });
}

/** Changes the name or the public link of an asset. */
export function useUpdateAsset(onFailed?: () => void) {
  return useOrganizationMutation({
    change: ({ id, ...body }: AssetUpdate, options) =>
      api.assets.update({ params: { id }, body }, options),
    invalidates,
    optimistic: (cache, { id, ...changes }) =>
      editAssets(cache, [id], (asset) => ({ ...asset, ...changes })),
    onFailed,
  });
}

interface AssetUpdate {
  readonly id: string;
  readonly assetName?: string;
  readonly publicLinkEnabled?: boolean;
  readonly description?: string | null;
  readonly tags?: string[];
}

/** Publishes assets to a team, which gets its own copies. */
export function usePublishAssets() {
  return useOrganizationMutation({
    change: ({ assets, team, collectionId }: Publication) =>
      mapConcurrently(assets, ({ id }) =>
        api.assets.publish(
          { params: { id }, ...(collectionId && { body: { collectionId } }) },
          { organizationId: team.id },
        ),
      ),
    invalidates: [['timeline']],
    onDone(results, { team }) {
      const [first] = results.done;
      const text =
        first && results.done.length === 1
          ? texts.published(first.item.assetName, team.name)
          : texts.publishedSeveral(results.done.length, team.name);
      notify(text);
      notifyFailures(results);
    },
    // The dialog shows the error.
    onFailed() {},
  });
}

interface Publication {
  readonly assets: Assets;
  readonly team: { readonly id: string; readonly name: string };
  /** Default: the user's collection `Published` in the team. */
  readonly collectionId: string | undefined;
}
