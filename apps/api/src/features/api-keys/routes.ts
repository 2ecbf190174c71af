import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { leakUseCase } from './leak.ts';
import { organizationKeyUseCases } from './organization/usecases.ts';
import { apiKeyUseCases } from './usecases.ts';

export function apiKeysFeature(deps: Deps) {
  const keys = apiKeyUseCases(deps);
  const ofOrganization = organizationKeyUseCases(deps);
  const reportLeak = leakUseCase(deps);

  return feature('apiKeys', {
    list: ({ query, ctx }) => keys.list(query, ctx),
    create: ({ body, ctx }) => keys.create(body, ctx),
    current: ({ ctx }) => keys.current(ctx),
    rename: ({ params, body, ctx }) => keys.rename(params.id, body.name, ctx),
    rotate: ({ params, body, ctx }) => keys.rotate(params.id, body.overlapHours, ctx),
    revoke: ({ params, ctx }) => keys.revoke(params.id, ctx),
    scopes: () => keys.scopes(),
    listOfOrganization: ({ query, ctx }) => ofOrganization.list(query, ctx),
    exclude: ({ params, ctx }) => ofOrganization.exclude(params.keyId, ctx),
    policy: ({ ctx }) => ofOrganization.policy(ctx),
    updatePolicy: ({ body, ctx }) => ofOrganization.updatePolicy(body, ctx),
    reportLeak: ({ body, ctx }) => reportLeak(body.key, ctx),
  });
}
