import type { Deps } from '../../../deps.ts';
import type { Handlers } from '../../../http/feature.ts';
import { publishingUseCases } from './usecases.ts';

export function publishingHandlers(deps: Deps): Pick<Handlers<'assets'>, 'publish'> {
  const publishing = publishingUseCases(deps);

  return {
    publish: ({ params, body, ctx }) =>
      publishing.publish({ sourceAssetId: params.id, collectionId: body?.collectionId }, ctx),
  };
}
