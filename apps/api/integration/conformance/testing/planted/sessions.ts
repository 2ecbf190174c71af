import type { World } from '../../../../../../packages/conformance/src/world.ts';
import {
  answering,
  errorInstead,
  fieldsOf,
  giving,
  insteadOf,
  refusing,
  repeatingSuccess,
  success,
  withBody,
  withFields,
  withHeader,
  withQuery,
  withoutHeader,
  withToken,
} from '../faults.ts';
import type { Fault } from '../faulty-proxy.ts';
import type { PlantedBug } from './planted-bug.ts';

/** Whoever was told a token stays logged in with it. */
function keepsEverySession({ owner }: World): Fault {
  return async (call, ask) => {
    const answer = await ask(call);
    if (call.operation !== 'auth.user' || answer.status !== 401) return answer;
    return ask(withToken(call, owner.token));
  };
}

/** Accounts, sessions and sign-ins. */
export const wrongSessions: readonly PlantedBug[] = [
  {
    bug: 'lets a refresh token be used again',
    check: 'session.rotation',
    rule: 'session.replay',
    fault: () => repeatingSuccess('auth.refresh', (call) => String(fieldsOf(call)['refreshToken'])),
  },
  {
    bug: 'keeps sessions after a replay',
    check: 'session.rotation',
    rule: 'session.replay',
    fault: keepsEverySession,
  },
  {
    bug: 'tells why a refresh token is refused',
    check: 'session.rotation',
    rule: 'session.rotation',
    fault: () =>
      refusing('auth.refresh', (answer) =>
        withBody(answer, (body) => ({ ...body, message: 'Token expired' })),
      ),
  },
  {
    bug: 'refuses to log out with an unknown token',
    check: 'session.logout',
    rule: 'session.logout',
    fault: () =>
      answering('auth.logout', (answer, call) =>
        fieldsOf(call)['refreshToken'] === 'no-such-token'
          ? errorInstead(answer, 'access_denied')
          : answer,
      ),
  },
  {
    bug: 'does not end the session at logout',
    check: 'session.logout',
    rule: 'session.logout',
    fault: () => insteadOf('auth.logout', () => success({ message: 'You have been logged out' })),
  },
  {
    bug: 'refuses a login with 401',
    check: 'login.texts',
    rule: 'login.texts',
    fault: () => refusing('auth.login', (answer) => errorInstead(answer, 'unauthenticated')),
  },
  {
    bug: 'has another text for a wrong password',
    check: 'login.texts',
    rule: 'login.texts',
    fault: () =>
      refusing('auth.login', (answer) =>
        withBody(answer, (body) => ({ ...body, message: 'Invalid email or password' })),
      ),
  },
  {
    bug: 'tells everybody that an account is pending',
    check: 'login.texts',
    rule: 'login.texts',
    fault: () => refusing('auth.login', (answer) => errorInstead(answer, 'account_pending')),
  },
  {
    bug: 'tells that an address is taken',
    check: 'register.taken',
    rule: 'register.taken',
    fault: ({ owner }) =>
      answering('auth.register', (answer, call) =>
        fieldsOf(call)['email'] === owner.email ? errorInstead(answer, 'conflict') : answer,
      ),
  },
  {
    bug: 'verifies twice by one mail',
    check: 'login.texts',
    rule: 'verification.once',
    fault: () => repeatingSuccess('auth.verifyEmail'),
  },
  {
    bug: 'lets a password stand that nobody knows whose it is',
    check: 'verification.contested',
    rule: 'verification.contested',
    fault: () => giving('auth.verifyEmail', (data) => ({ ...data, resetToken: null })),
  },
  {
    bug: 'keeps sessions after a password reset',
    check: 'session.password-reset',
    rule: 'session.password-reset',
    fault: keepsEverySession,
  },
  {
    bug: 'resets twice by one mail',
    check: 'session.password-reset',
    rule: 'session.password-reset',
    fault: () => repeatingSuccess('auth.resetPassword'),
  },
  {
    bug: 'keeps a session that was ended',
    check: 'session.list',
    rule: 'session.list',
    fault: keepsEverySession,
  },
  {
    bug: 'mails no link',
    check: 'session.password-reset',
    rule: 'mail.link',
    fault: () => async (call, ask) => {
      const answer = await ask(call);
      if (call.path !== '/email') return answer;
      const text = await answer.text();
      return new Response(text.replaceAll(/https?:/g, 'see '), { headers: answer.headers });
    },
  },
  {
    bug: 'exchanges a code twice',
    check: 'sign-in.exchange-once',
    rule: 'sign-in.exchange-once',
    fault: () => repeatingSuccess('auth.exchange', (call) => String(fieldsOf(call)['code'])),
  },
  {
    bug: 'exchanges a code without its verifier',
    check: 'sign-in.verifier',
    rule: 'sign-in.verifier',
    fault: () => (call, ask) => {
      if (call.operation === 'auth.startGoogle') {
        return ask(withQuery(call, (query) => query.delete('challenge')));
      }
      if (call.operation !== 'auth.exchange') return ask(call);
      return ask(withFields(call, ({ verifier: _, ...fields }) => fields));
    },
  },
  {
    bug: 'leaks the code to the next page',
    check: 'sign-in.exchange-once',
    rule: 'sign-in.referrer',
    fault: () =>
      answering('auth.googleCallback', (answer) => withoutHeader(answer, 'referrer-policy')),
  },
  {
    bug: 'begins a sign-in without a challenge',
    check: 'sign-in.redirects',
    rule: 'sign-in.redirects',
    fault: () =>
      answering('auth.startGoogle', (answer) => {
        const location = answer.headers.get('location') ?? '';
        return withHeader(answer, 'location', location.replaceAll('code_challenge', 'challenge'));
      }),
  },
  {
    bug: 'reflects what came to the callback',
    check: 'sign-in.redirects',
    rule: 'sign-in.redirects',
    fault: () =>
      answering('auth.googleCallback', (answer, { path }) =>
        withHeader(answer, 'location', `https://app.example.com/loading?error=${path}`),
      ),
  },
];
