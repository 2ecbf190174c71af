import type { Asset } from '@atelier/client';
import { api } from '../api.ts';
import { errorText } from '../session/error-texts.ts';
import { useOrganizationChange, type TopicKey } from '../session/queries.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/library.ts';
import { notify } from '../ui/notices.tsx';
import { each, type Outcomes } from './each.ts';
import { editAssets } from './library-cache.ts';

type Assets = readonly Asset[];

const touches: readonly TopicKey[] = [['assets'], ['collections'], ['bin'], ['timeline']];

const idsOf = (assets: Assets) => assets.map(({ id }) => id);

/** Tells of those that could not be changed, when others could. */
function notifyFailures({ done, failures }: Outcomes<unknown, unknown>): void {
  if (failures.length === 0) return;
  const all = done.length + failures.length;
  notify(texts.someFailed(failures.length, all, errorText(failures[0])), { tone: 'danger' });
}

/** Marks assets, or takes the mark away. */
export function useFavoriteAssets() {
  return useOrganizationChange({
    change: ({ assets, isFavorite }: { assets: Assets; isFavorite: boolean }, options) =>
      each(assets, ({ id }) =>
        api.assets.favorite({ params: { id }, body: { isFavorite } }, options),
      ),
    touches: [['assets'], ['timeline']],
    optimistic: (cache, { assets, isFavorite }) =>
      editAssets(cache, idsOf(assets), (asset) => ({ ...asset, isFavorite })),
    onDone: notifyFailures,
  });
}

/** Moves assets to the bin, and offers to take them back. */
export function useDeleteAssets() {
  const restore = useOrganizationChange({
    change: (assets: Assets, options) =>
      each(assets, ({ id }) => api.assets.restore({ params: { id } }, options)),
    touches,
    onDone(outcomes) {
      notify(texts.undone);
      notifyFailures(outcomes);
    },
  });
  return useOrganizationChange({
    change: (assets: Assets, options) =>
      each(assets, ({ id }) => api.assets.remove({ params: { id } }, options)),
    touches,
    optimistic: (cache, assets) => editAssets(cache, idsOf(assets), () => null),
    onDone(outcomes) {
      const deleted = outcomes.done.map(({ item }) => item);
      const [first] = deleted;
      const text =
        first && deleted.length === 1
          ? texts.deletedAsset(first.assetName)
          : texts.deletedAssets(deleted.length);
      notify(text, { action: { label: shared.undo, run: () => restore.mutate(deleted) } });
      notifyFailures(outcomes);
    },
  });
}

/** Moves assets to another collection, and offers to take that back. */
export function useMoveAssets() {
  const moveBack = useOrganizationChange({
    change: (assets: Assets, options) =>
      each(assets, ({ id, collectionId }) =>
        api.assets.update({ params: { id }, body: { collectionId } }, options),
      ),
    touches,
    onDone(outcomes) {
      notify(texts.undone);
      notifyFailures(outcomes);
    },
  });
  return useOrganizationChange({
    change: ({ assets, to }: { assets: Assets; to: { id: string; title: string } }, options) =>
      each(assets, ({ id }) =>
        api.assets.update({ params: { id }, body: { collectionId: to.id } }, options),
      ),
    touches,
    onDone(outcomes, { to }) {
      const moved = outcomes.done.map(({ item }) => item);
      const [first] = moved;
      const text =
        first && moved.length === 1
          ? texts.moved(first.assetName, to.title)
          : texts.movedSeveral(moved.length, to.title);
      notify(text, { action: { label: shared.undo, run: () => moveBack.mutate(moved) } });
      notifyFailures(outcomes);
    },
    // The dialog tells it.
    onFailed() {},
  });
}

/** Changes name or public link of an asset. */
export function useUpdateAsset(onFailed?: () => void) {
  return useOrganizationChange({
    change: (
      { id, ...body }: { id: string; assetName?: string; publicLinkEnabled?: boolean },
      options,
    ) => api.assets.update({ params: { id }, body }, options),
    touches,
    optimistic: (cache, { id, ...changes }) =>
      editAssets(cache, [id], (asset) => ({ ...asset, ...changes })),
    onFailed,
  });
}

/** Gives a team its own asset on the same content. */
export function usePublishAssets() {
  return useOrganizationChange({
    change: ({ assets, team, collectionId }: Publication) =>
      each(assets, ({ id }) =>
        api.assets.publish(
          { params: { id }, ...(collectionId && { body: { collectionId } }) },
          { organizationId: team.id },
        ),
      ),
    touches: [['timeline']],
    onDone(outcomes, { team }) {
      const [first] = outcomes.done;
      const text =
        first && outcomes.done.length === 1
          ? texts.published(first.item.assetName, team.name)
          : texts.publishedSeveral(outcomes.done.length, team.name);
      notify(text);
      notifyFailures(outcomes);
    },
    // The dialog tells it.
    onFailed() {},
  });
}

interface Publication {
  readonly assets: Assets;
  readonly team: { readonly id: string; readonly name: string };
  /** Default: the caller's collection `Published` there. */
  readonly collectionId: string | undefined;
}
