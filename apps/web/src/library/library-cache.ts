import type { Asset, Collection } from '@atelier/client';
import { editCached, type Edit } from '@atelier/client/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { topicKey } from '../session/queries.ts';

/** Applies an optimistic change of assets to every cached list and asset. */
export function editAssets(client: QueryClient, ids: readonly string[], edit: Edit<Asset>): void {
  editCached<Asset>(client, { keys: [topicKey(['assets'])], ids, edit });
}

/** Applies an optimistic change of a collection to every cached list and collection. */
export function editCollection(client: QueryClient, id: string, edit: Edit<Collection>): void {
  editCached<Collection>(client, { keys: [topicKey(['collections'])], ids: [id], edit });
}
