import type { PublicContext } from '../../kernel/context.ts';

/** The part of an activity that everything an account does to itself has in common. */
export function aboutUser(user: { id: string; email: string }, ctx: PublicContext, now: Date) {
  return {
    actorId: user.id,
    organizationId: null,
    resourceType: 'user',
    resourceId: user.id,
    resourceName: user.email,
    requestId: ctx.requestId,
    at: now,
  } as const;
}
