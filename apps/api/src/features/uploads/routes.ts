import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { uploadUseCases } from './usecases.ts';

export function uploadsFeature(deps: Deps) {
  const uploads = uploadUseCases(deps);

  return feature('uploads', {
    initiate: ({ body, ctx }) => uploads.initiate(body, ctx),
    parts: ({ params, ctx }) => uploads.resume(params.uploadId, ctx),
    complete: ({ body, ctx }) => uploads.complete(body, ctx),
    abort: ({ body, ctx }) => uploads.abort(body, ctx),
  });
}
