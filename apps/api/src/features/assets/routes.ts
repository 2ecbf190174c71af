import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { assetLogHandlers } from './logs/handlers.ts';
import { publishingHandlers } from './publishing/handlers.ts';
import { purgingUseCases } from './bin/purging.ts';
import { assetBinUseCases } from './bin/usecases.ts';
import { coverUseCases } from './covers/usecases.ts';
import { assetChangeUseCases } from './changes/usecases.ts';
import { assetListUseCases } from './list/usecases.ts';
import { assetUseCases } from './usecases.ts';
import { reviewUseCases } from './review/usecases.ts';
import { versionHandlers } from './versions/handlers.ts';

export function assetsFeature(deps: Deps) {
  const assets = assetUseCases(deps);
  const lists = assetListUseCases(deps);
  const changes = assetChangeUseCases(deps);
  const bin = assetBinUseCases(deps);
  const purging = purgingUseCases(deps);
  const reviews = reviewUseCases(deps);
  const covers = coverUseCases(deps);

  return feature(
    'assets',
    {
      ...assetLogHandlers(deps),
      list: ({ query, ctx }) => lists.list(query, ctx),
      listInCollection: ({ params, query, ctx }) =>
        lists.listInCollection(params.collectionId, query, ctx),
      update: ({ params, body, ctx }) => changes.update(params.id, body, ctx),
      favorite: ({ params, body, ctx }) => changes.favorite(params.id, body.isFavorite, ctx),
      review: ({ params, body, ctx }) => reviews.set(params.id, body, ctx),
      setCover: ({ params, body, ctx }) => covers.set(params.id, body, ctx),
      remove: ({ params, ctx }) => changes.remove(params.id, ctx),
      tags: ({ query, ctx }) => lists.suggestTags(query.q, ctx),
      bin: ({ query, ctx }) => bin.list(query, ctx),
      purge: ({ params, ctx }) => purging.purge(params.id, ctx),
      emptyBin: ({ query, ctx }) => purging.emptyBin(query, ctx),
      restore: ({ params, ctx }) => bin.restore(params.id, ctx),
      get: ({ params, ctx }) => assets.get(params.id, ctx),
      download: ({ params, query, ctx }) => assets.download(params.id, query.version, ctx),
      ...versionHandlers(deps),
      ...publishingHandlers(deps),
      followShortLink: ({ params }) => assets.followShortLink(params.code),
    },
    { early: ['list', 'listInCollection', 'get'] },
  );
}
