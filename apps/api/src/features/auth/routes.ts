import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { presentUser } from '../../domain/person-view/present-user.ts';
import { passkeySignIn } from './passkey-sign-in.ts';
import { signInHandlers } from './sign-in/handlers.ts';
import { authUseCases } from './usecases.ts';

export function authFeature(deps: Deps) {
  const auth = authUseCases(deps);
  const passkeys = passkeySignIn(deps);

  return feature('auth', {
    register: ({ body, ctx }) => auth.register(body, ctx),
    verifyEmail: ({ body, ctx }) => auth.verifyEmail(body.token, ctx),
    requestPasswordReset: ({ body, ctx }) => auth.requestPasswordReset(body.email, ctx),
    resetPassword: ({ body, ctx }) => auth.resetPassword(body, ctx),
    verifyToken: ({ query }) => auth.verifyResetToken(query.token),
    login: ({ body, ctx }) => auth.logIn(body, ctx),
    passkeyChallenge: () => passkeys.challenge(),
    loginWithPasskey: ({ body, ctx }) => passkeys.logIn(body.response, ctx),
    ...signInHandlers(deps),
    user: ({ ctx }) => presentUser(deps.store, ctx.user),
    confirm: ({ body, ctx }) => auth.confirm(body, ctx),
    refresh: ({ body, ctx }) => auth.refresh(body.refreshToken, ctx),
    logout: ({ body, ctx }) => auth.logOut(body, ctx),
  });
}
