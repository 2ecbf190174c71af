import type { User } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import type { CurrentUser } from '../../kernel/context.ts';
import { signInHandlers } from './sign-in/handlers.ts';
import { authUseCases } from './usecases.ts';

export function authRoom(deps: Deps) {
  const auth = authUseCases(deps);

  return room('auth', {
    register: ({ body, ctx }) => auth.register(body, ctx),
    verifyEmail: ({ body, ctx }) => auth.verifyEmail(body.token, ctx),
    requestPasswordReset: ({ body, ctx }) => auth.requestPasswordReset(body.email, ctx),
    resetPassword: ({ body, ctx }) => auth.resetPassword(body, ctx),
    verifyToken: ({ query }) => auth.verifyResetToken(query.token),
    login: ({ body, ctx }) => auth.logIn(body, ctx),
    ...signInHandlers(deps),
    user: async ({ ctx }) => presentUser(ctx.user),
    refresh: ({ body }) => auth.refresh(body.refreshToken),
    logout: ({ body, ctx }) => auth.logOut(body, ctx),
  });
}

function presentUser(user: CurrentUser): User {
  const fullName = [user.firstName, user.lastName].filter((name) => name !== null).join(' ');
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    displayName: fullName || user.email.slice(0, user.email.indexOf('@')),
    avatarUrl: null,
    accountStatus: user.accountStatus,
    platformRole: user.platformRole,
    personalOrganizationId: user.personalOrganizationId,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
