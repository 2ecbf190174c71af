import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { emailUseCases } from './email/usecases.ts';
import { exportUseCases } from './export/usecases.ts';
import { accountUseCases } from './usecases.ts';

export function accountFeature(deps: Deps) {
  const account = accountUseCases(deps);
  const email = emailUseCases(deps);
  const exports = exportUseCases(deps);

  return feature('account', {
    requestEmailChange: ({ body, ctx }) => email.requestChange(body.newEmail, ctx),
    confirmEmailChange: ({ body, ctx }) => email.confirmChange(body.token, ctx),
    undoEmailChange: ({ body, ctx }) => email.undoChange(body.token, ctx),
    requestExport: ({ ctx }) => exports.request(ctx),
    latestExport: ({ ctx }) => exports.latest(ctx),
    getExport: ({ params, ctx }) => exports.get(params.id, ctx),
    requestDeletion: ({ body, ctx }) => account.requestDeletion(body.confirmation, ctx),
    cancelDeletion: ({ body, ctx }) => account.cancelDeletion(body.token, ctx),
  });
}
