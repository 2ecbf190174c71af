import type { Deps } from '../../../deps.ts';
import type { Handlers } from '../../../http/feature.ts';
import { assetLogUseCases } from './usecases.ts';

/** Handlers of the operations that list the activities of assets. */
export function assetLogHandlers(deps: Deps): Pick<Handlers<'assets'>, 'myLogs' | 'logs'> {
  const logs = assetLogUseCases(deps);

  return {
    myLogs: ({ query, ctx }) => logs.mine(query, ctx),
    logs: ({ params, query, ctx }) => logs.ofAsset(params.id, query, ctx),
  };
}
