import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { uploadUseCases } from './usecases.ts';

export function uploadsRoom(deps: Deps) {
  const uploads = uploadUseCases(deps);

  return room('uploads', {
    initiate: ({ body, ctx }) => uploads.initiate(body, ctx),
    parts: ({ params, ctx }) => uploads.resume(params.uploadId, ctx),
    complete: ({ body, ctx }) => uploads.complete(body, ctx),
    abort: ({ body, ctx }) => uploads.abort(body, ctx),
  });
}
