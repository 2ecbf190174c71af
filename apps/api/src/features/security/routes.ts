import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { identityRemoval } from './identities.ts';
import { passkeyUseCases } from './passkeys.ts';
import { passwordChange } from './password.ts';
import { securityUseCases } from './usecases.ts';

export function securityFeature(deps: Deps) {
  const security = securityUseCases(deps);
  const removeIdentity = identityRemoval(deps);
  const passkeys = passkeyUseCases(deps);
  const changePassword = passwordChange(deps);

  return feature('security', {
    overview: ({ ctx }) => security.overview(ctx),
    startTotp: ({ ctx }) => security.startTotp(ctx),
    enableTotp: ({ body, ctx }) => security.enableTotp(body.code, ctx),
    disableTotp: ({ ctx }) => security.disableTotp(ctx),
    renewRecoveryCodes: ({ ctx }) => security.renewRecoveryCodes(ctx),
    removeIdentity: ({ params, ctx }) => removeIdentity(params.provider, ctx),
    passkeyChallenge: ({ ctx }) => passkeys.challenge(ctx),
    startPasskey: ({ ctx }) => passkeys.start(ctx),
    addPasskey: ({ body, ctx }) => passkeys.add(body, ctx),
    renamePasskey: ({ params, body, ctx }) => passkeys.rename(params.id, body.name, ctx),
    removePasskey: ({ params, ctx }) => passkeys.remove(params.id, ctx),
    changePassword: ({ body, ctx }) => changePassword(body, ctx),
  });
}
