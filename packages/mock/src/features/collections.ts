import { MockFailure } from '../failure.ts';
import { reachOf } from '../state/access.ts';
import type { Call, Feature } from '../state/model.ts';
import { restore } from '../state/changes.ts';
import { shown } from '../state/perform.ts';
import { recordAt } from '../state/call.ts';
import type { Stored } from '../state/store.ts';

/** @throws MockFailure if the caller may not delete or restore each of the assets */
function expectRights({ caller, role }: Call, assets: readonly Stored[]): void {
  const isOwn = assets.every(({ ownerId }) => ownerId === caller?.id);
  if (isOwn || reachOf('asset:delete', role) === 'any') return;
  throw new MockFailure('collection_has_others_assets');
}

export const collections: Feature = {
  operations: {
    'collections.restore': {
      respond: (call) => {
        const collection = recordAt(call, 'params.id');
        const { store } = call.state;
        expectRights(
          call,
          store.binned('asset').filter(({ bin }) => bin?.by === collection.id),
        );
        restore(call, collection);
        return shown(call, collection);
      },
    },
  },
  kinds: {
    collection: {
      ofCaller: ['isFavorite'],
      onRemove: (call, { id }) => {
        const { store } = call.state;
        expectRights(
          call,
          store.all('asset').filter(({ fields }) => fields['collectionId'] === id),
        );
      },
    },
  },
};
