import { z } from 'zod/v4';
import { userAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { pageOf, pageQuery } from './pagination.ts';
import { Id, Timestamp } from './primitives.ts';
import { secondFactorKinds } from './second-factor.ts';
import { ownTarget } from './targets.ts';

/** What opens a session, by itself or together with a second factor. */
export const signInMethods = ['password', 'provider', 'passkey'] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const SessionSignIn = z
  .object({
    method: z
      .enum(signInMethods)
      .describe('A passkey here was used alone: it is two factors by itself.'),
    secondFactor: z
      .enum(secondFactorKinds)
      .nullable()
      .describe('What was presented beside it; null without.'),
  })
  .meta({
    id: 'SessionSignIn',
    description: 'How a session was opened.',
    examples: [{ method: 'password', secondFactor: 'totp' }],
  });
export type SessionSignIn = z.infer<typeof SessionSignIn>;

export const Session = z
  .object({
    id: Id,
    device: z
      .string()
      .describe('What signed in, for people: browser and system, or the name of the program.'),
    ipAddress: z.string().nullable().describe('Address that signed in.'),
    signIn: SessionSignIn.nullable().describe(
      'Stays the same when its tokens are refreshed. Null if it was opened before this was recorded.',
    ),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.describe('Last sign-in or token refresh, so up to 15 minutes old.'),
    isCurrent: z.boolean().describe('Whether this request belongs to it.'),
  })
  .meta({
    id: 'Session',
    description: 'An active session on a device.',
    examples: [
      {
        id: '019aa4f6-2b1c-7d4e-9a3f-1c2d3e4f5a6b',
        device: 'Firefox on Linux',
        ipAddress: '203.0.113.7',
        signIn: { method: 'password', secondFactor: 'totp' },
        createdAt: '2026-11-21T09:30:00.000Z',
        lastUsedAt: '2026-11-21T11:15:00.000Z',
        isCurrent: true,
      },
    ],
  });
export type Session = z.infer<typeof Session>;

export const SessionPage = pageOf(Session, 'SessionPage');

export const EndedSession = z.object({ id: Id }).meta({
  id: 'EndedSession',
  description: 'The session that was ended.',
  examples: [{ id: '019aa4f6-2b1c-7d4e-9a3f-1c2d3e4f5a6b' }],
});

export const EndedSessions = z
  .object({ endedCount: z.int().min(0).describe('How many sessions were ended.') })
  .meta({
    id: 'EndedSessions',
    description: 'How many sessions were ended.',
    examples: [{ endedCount: 2 }],
  });

export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    summary: "List the caller's open sessions",
    description: 'Last used first.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    query: z.object(pageQuery),
    list: { order: ['-lastUsedAt'] },
    success: ok('Sessions retrieved', SessionPage),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    summary: "End one of the caller's sessions",
    description:
      'Its tokens stop working immediately. The current session can be ended too. Other sessions continue, even if the device of the ended one tries to refresh.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'remove',
    pathParams: z.object({ id: Id }),
    targets: { 'params.id': ownTarget('session') },
    success: ok('Session ended', EndedSession),
    errors: ['not_found'],
    activity: 'user.end_sessions',
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: "End all the caller's sessions but the current one",
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'remove',
    success: ok('Other sessions ended', EndedSessions),
    activity: 'user.end_sessions',
  }),
};
