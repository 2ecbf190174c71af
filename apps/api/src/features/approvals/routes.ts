import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { approvalUseCases } from './usecases.ts';

export function approvalsFeature(deps: Deps) {
  const approvals = approvalUseCases(deps);

  return feature('approvals', {
    list: ({ query, ctx }) => approvals.list(query, ctx),
    request: ({ body, ctx }) => approvals.request(body, ctx),
    get: ({ params, ctx }) => approvals.get(params.id, ctx),
    approve: ({ params, ctx }) => approvals.decide(params.id, 'APPROVED', ctx),
    refuse: ({ params, ctx }) => approvals.decide(params.id, 'REFUSED', ctx),
  });
}
