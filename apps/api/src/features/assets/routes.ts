import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { assetLogHandlers } from './logs/handlers.ts';
import { publishingHandlers } from './publishing/handlers.ts';
import { assetUseCases } from './usecases.ts';
import { versionHandlers } from './versions/handlers.ts';

export function assetsRoom(deps: Deps) {
  const assets = assetUseCases(deps);

  return room('assets', {
    ...assetLogHandlers(deps),
    get: ({ params, ctx }) => assets.get(params.id, ctx),
    download: ({ params, query, ctx }) => assets.download(params.id, query.version, ctx),
    ...versionHandlers(deps),
    ...publishingHandlers(deps),
    followShortLink: ({ params }) => assets.followShortLink(params.code),
  });
}
