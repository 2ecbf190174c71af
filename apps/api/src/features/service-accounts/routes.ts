import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { serviceKeyUseCases } from './keys.ts';
import { serviceAccountUseCases } from './usecases.ts';

export function serviceAccountsFeature(deps: Deps) {
  const accounts = serviceAccountUseCases(deps);
  const keys = serviceKeyUseCases(deps);

  return feature('serviceAccounts', {
    list: ({ query, ctx }) => accounts.list(query, ctx),
    create: ({ body, ctx }) => accounts.create(body, ctx),
    update: ({ params, body, ctx }) => accounts.update(params.accountId, body, ctx),
    remove: ({ params, ctx }) => accounts.remove(params.accountId, ctx),
    listKeys: ({ params, query, ctx }) => keys.list(params.accountId, query, ctx),
    createKey: ({ params, body, ctx }) => keys.create(params.accountId, body, ctx),
    rotateKey: ({ params, body, ctx }) => keys.rotate(params, body.overlapHours, ctx),
    revokeKey: ({ params, ctx }) => keys.revoke(params, ctx),
  });
}
