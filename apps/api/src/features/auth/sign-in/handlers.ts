import type { SecondFactor } from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import type { Redirect } from '../../../http/feature.ts';
import type { PublicContext } from '../../../kernel/context.ts';
import type { ProviderId } from '../../../ports/identity-provider.ts';
import { attemptCookies } from './attempt-cookie.ts';
import {
  signInUseCases,
  type PresentedCode,
  type ReturnedBrowser,
  type SignInOutcome,
} from './usecases.ts';

interface StartCall {
  readonly query: {
    readonly login_hint?: string | undefined;
    readonly challenge?: string | undefined;
  };
}

type PresentedFactor = PresentedCode & { readonly secondFactor: SecondFactor };

interface CallbackCall {
  readonly query: ReturnedBrowser['query'];
  readonly ctx: PublicContext;
}

/** Sign-in through a provider as a browser sees it: redirects and a cookie. */
export function signInHandlers(deps: Deps) {
  const signIn = signInUseCases(deps);
  const cookies = attemptCookies(deps);

  const start =
    (provider: ProviderId) =>
    async ({ query }: StartCall) => {
      const { attempt, address } = await signIn.begin(provider, query.login_hint);
      const bound = { ...attempt, challenge: query.challenge };
      return redirect(address, await cookies.remember(provider, bound, deps.clock.now()));
    };

  const callback =
    (provider: ProviderId) =>
    async ({ query, ctx }: CallbackCall) => {
      const attempt = await cookies.recall(provider, ctx.cookieHeader, deps.clock.now());
      const outcome = await signIn.complete(provider, { attempt, query }, ctx);
      if ('error' in outcome && outcome.error !== 'server_error') {
        ctx.noteSecurityEvent('login_failed', { account: null, code: outcome.error });
      }
      return redirect(loadingPage(outcome), cookies.forget(provider));
    };

  function loadingPage(outcome: SignInOutcome): string {
    const fields =
      'error' in outcome
        ? { error: outcome.error }
        : { code: outcome.code, is_new: String(outcome.isNew) };
    return `${deps.config.APP_URL}/loading?${new URLSearchParams(fields).toString()}`;
  }

  return {
    startGoogle: start('google'),
    googleCallback: callback('google'),
    startGithub: start('github'),
    githubCallback: callback('github'),
    exchange: ({ body, ctx }: { body: PresentedCode; ctx: PublicContext }) =>
      signIn.exchange(body, ctx),
    exchangeWithSecondFactor: ({ body, ctx }: { body: PresentedFactor; ctx: PublicContext }) =>
      signIn.exchangeWithSecondFactor(body, ctx),
  };
}

function redirect(location: string, cookie: string): Redirect {
  return {
    location,
    headers: {
      'set-cookie': cookie,
      // Neither a code nor a state leaks to the resources that the next page loads.
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  };
}
