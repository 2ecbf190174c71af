import type { Fixtures } from '../../../../../../packages/conformance/src/fixtures.ts';
import {
  changingRequest,
  changingResponse,
  errorInstead,
  fieldsOf,
  changingData,
  respondingInstead,
  changingErrors,
  repeatingSuccess,
  success,
  withBody,
  withFields,
  withHeader,
  withQuery,
  withoutHeader,
  withoutRequestHeader,
  withToken,
} from '../fault-builders.ts';
import type { Fault, ProxiedRequest } from '../faulty-proxy.ts';
import type { InjectedFault } from './injected-fault.ts';

/** Accepts ended sessions. */
function keepsEverySession({ owner }: Fixtures): Fault {
  return async (request, forward) => {
    const response = await forward(request);
    if (request.operation !== 'auth.user' || response.status !== 401) return response;
    return forward(withToken(request, owner.token));
  };
}

function keyedRefresh(request: ProxiedRequest): string {
  return `${request.headers['idempotency-key']} ${String(fieldsOf(request)['refreshToken'])}`;
}

/** Faults of accounts, sessions and sign-ins. */
export const sessionFaults: readonly InjectedFault[] = [
  {
    bug: 'accepts a used refresh token',
    check: 'session.rotation',
    rule: 'session.replay',
    fault: () =>
      repeatingSuccess('auth.refresh', (request) => String(fieldsOf(request)['refreshToken'])),
  },
  {
    bug: 'keeps sessions after a replay',
    check: 'session.rotation',
    rule: 'session.replay',
    fault: keepsEverySession,
  },
  {
    bug: 'reveals why a refresh token is refused',
    check: 'session.rotation',
    rule: 'session.rotation',
    fault: () =>
      changingErrors('auth.refresh', (response) =>
        withBody(response, (body) => ({ ...body, message: 'Token expired' })),
      ),
  },
  {
    bug: 'has no key of a refresh',
    check: 'session.lost-response',
    rule: 'session.lost-response',
    fault: () =>
      changingRequest('auth.refresh', (request) =>
        withoutRequestHeader(request, 'idempotency-key'),
      ),
  },
  ...(['session.lost-response', 'session.lost-response-replay'] as const).map((check) => ({
    bug: 'responds with 500 to a refresh with a key',
    check,
    rule: 'check.completes',
    fault: () =>
      respondingInstead('auth.refresh', ({ headers }) =>
        headers['idempotency-key'] === undefined
          ? null
          : errorInstead(success({}), 'internal_error'),
      ),
  })),
  {
    bug: 'has no refresh',
    check: 'session.lost-response',
    rule: 'operation.available',
    fault: () => respondingInstead('auth.refresh', () => success({}, 501)),
  },
  {
    bug: 'repeats a refresh after its tokens were used',
    check: 'session.lost-response',
    rule: 'session.lost-response',
    fault: () => repeatingSuccess('auth.refresh', keyedRefresh),
  },
  {
    bug: 'repeats a refresh without its key',
    check: 'session.lost-response-replay',
    rule: 'session.lost-response',
    fault: () =>
      repeatingSuccess('auth.refresh', (request) => String(fieldsOf(request)['refreshToken'])),
  },
  {
    bug: 'keeps sessions after a refresh under another key',
    check: 'session.lost-response-replay',
    rule: 'session.lost-response',
    fault: keepsEverySession,
  },
  {
    bug: 'accepts a weak key of a refresh',
    check: 'session.weak-key',
    rule: 'session.weak-key',
    fault: () =>
      changingRequest('auth.refresh', (request) =>
        (request.headers['idempotency-key'] ?? '').length < 22
          ? withoutRequestHeader(request, 'idempotency-key')
          : request,
      ),
  },
  {
    bug: 'refuses to sign out with an unknown token',
    check: 'session.logout',
    rule: 'session.logout',
    fault: () =>
      changingResponse('auth.logout', (response, request) =>
        fieldsOf(request)['refreshToken'] === 'no-such-token'
          ? errorInstead(response, 'access_denied')
          : response,
      ),
  },
  {
    bug: 'does not end the session at logout',
    check: 'session.logout',
    rule: 'session.logout',
    fault: () =>
      respondingInstead('auth.logout', () => success({ message: 'You have been logged out' })),
  },
  {
    bug: 'refuses a login with 401',
    check: 'login.texts',
    rule: 'login.texts',
    fault: () =>
      changingErrors('auth.login', (response) => errorInstead(response, 'unauthenticated')),
  },
  {
    bug: 'has another text for a wrong password',
    check: 'login.texts',
    rule: 'login.texts',
    fault: () =>
      changingErrors('auth.login', (response) =>
        withBody(response, (body) => ({ ...body, message: 'Invalid email or password' })),
      ),
  },
  {
    bug: 'reveals a pending account without the password',
    check: 'login.texts',
    rule: 'login.texts',
    fault: () =>
      changingErrors('auth.login', (response) => errorInstead(response, 'account_pending')),
  },
  {
    bug: 'reveals that an address is taken',
    check: 'register.taken',
    rule: 'register.taken',
    fault: ({ owner }) =>
      changingResponse('auth.register', (response, request) =>
        fieldsOf(request)['email'] === owner.email ? errorInstead(response, 'conflict') : response,
      ),
  },
  {
    bug: 'verifies twice by one mail',
    check: 'login.texts',
    rule: 'verification.once',
    fault: () => repeatingSuccess('auth.verifyEmail'),
  },
  {
    bug: 'keeps a contested password',
    check: 'verification.contested',
    rule: 'verification.contested',
    fault: () => changingData('auth.verifyEmail', (data) => ({ ...data, resetToken: null })),
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
    fault: () => async (request, forward) => {
      const response = await forward(request);
      if (request.path !== '/email') return response;
      const text = await response.text();
      return new Response(text.replaceAll(/https?:/g, 'see '), { headers: response.headers });
    },
  },
  {
    bug: 'exchanges a code twice',
    check: 'sign-in.exchange-once',
    rule: 'sign-in.exchange-once',
    fault: () => repeatingSuccess('auth.exchange', (request) => String(fieldsOf(request)['code'])),
  },
  {
    bug: 'exchanges a code without its verifier',
    check: 'sign-in.verifier',
    rule: 'sign-in.verifier',
    fault: () => (request, forward) => {
      if (request.operation === 'auth.startGoogle') {
        return forward(withQuery(request, (query) => query.delete('challenge')));
      }
      if (request.operation !== 'auth.exchange') return forward(request);
      return forward(withFields(request, ({ verifier: _, ...fields }) => fields));
    },
  },
  {
    bug: 'leaks the code to the next page',
    check: 'sign-in.exchange-once',
    rule: 'sign-in.referrer',
    fault: () =>
      changingResponse('auth.googleCallback', (response) =>
        withoutHeader(response, 'referrer-policy'),
      ),
  },
  {
    bug: 'begins a sign-in without a challenge',
    check: 'sign-in.redirects',
    rule: 'sign-in.redirects',
    fault: () =>
      changingResponse('auth.startGoogle', (response) => {
        const location = response.headers.get('location') ?? '';
        return withHeader(response, 'location', location.replaceAll('code_challenge', 'challenge'));
      }),
  },
  {
    bug: 'reflects the parameters of the callback',
    check: 'sign-in.redirects',
    rule: 'sign-in.redirects',
    fault: () =>
      changingResponse('auth.googleCallback', (response, { path }) =>
        withHeader(response, 'location', `https://app.example.com/loading?error=${path}`),
      ),
  },
];
