import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { sharedCommentUseCases } from './comments/usecases.ts';
import { shareListUseCases } from './lists.ts';
import { sharePolicyUseCases } from './policy/usecases.ts';
import { notesIn } from './visits/notes.ts';
import { visitUseCases } from './visits/usecases.ts';
import { createViewLog } from './visits/views.ts';
import { shareUseCases } from './usecases.ts';

export function sharesFeature(deps: Deps) {
  const shares = shareUseCases(deps);
  const lists = shareListUseCases(deps);
  const policies = sharePolicyUseCases(deps);
  const viewLog = createViewLog(deps);
  const note = notesIn(viewLog, deps);
  const visits = visitUseCases(deps, note);
  const comments = sharedCommentUseCases(deps, note);

  return feature(
    'shares',
    {
      create: ({ body, ctx }) => shares.create(body, ctx),
      list: ({ query, ctx }) => lists.list(query, ctx),
      publicLinks: ({ query, ctx }) => lists.publicLinks(query, ctx),
      get: ({ params, ctx }) => lists.get(params.id, ctx),
      update: ({ params, body, ctx }) => shares.update(params.id, body, ctx),
      remove: ({ params, ctx }) => shares.remove(params.id, ctx),
      rotate: ({ params, ctx }) => shares.rotate(params.id, ctx),
      views: ({ params, query, ctx }) => lists.views(params.id, query, ctx),
      open: ({ body, ctx }) => visits.open(body, ctx),
      shared: ({ ctx }) => visits.share(ctx),
      sharedAssets: ({ query, ctx }) => visits.listAssets(query, ctx),
      sharedAsset: ({ params, ctx }) => visits.getAsset(params.id, ctx),
      sharedDownload: ({ params, ctx }) => visits.download(params.id, ctx),
      sharedComments: ({ params, query, ctx }) => comments.list(params.id, query, ctx),
      createSharedComment: ({ params, body, ctx }) => comments.create(params.id, body, ctx),
      policy: ({ ctx }) => policies.policy(ctx),
      updatePolicy: ({ body, ctx }) => policies.updatePolicy(body, ctx),
    },
    { stop: () => viewLog.stop() },
  );
}
