import type { Deps } from '../../../deps.ts';
import type { Handlers } from '../../../http/feature.ts';
import { versionUseCases } from './usecases.ts';

export function versionHandlers(
  deps: Deps,
): Pick<Handlers<'assets'>, 'versions' | 'restoreVersion'> {
  const versions = versionUseCases(deps);

  return {
    versions: ({ params, query, ctx }) => versions.list(params.id, query, ctx),
    restoreVersion: ({ params, ctx }) => versions.restore(params, ctx),
  };
}
