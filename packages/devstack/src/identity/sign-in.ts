import type { Provider } from 'oidc-provider';
import type { Middleware } from './middleware.ts';
import { pagePolicy, pickerPage } from './pages.ts';
import type { DemoPerson } from './people.ts';
import { normalizeEmail, personOf } from './people.ts';
import type { Application } from './provider.ts';
import { paths } from './provider.ts';

const sessionTtlSeconds = 60;

/** Creates a session for one request, in a cookie that the library reads as if the browser had sent it. */
async function sessionCookie(provider: Provider, subject: string): Promise<string> {
  const session = new provider.Session();
  session.loginAccount({ accountId: subject, transient: true });
  await session.save(sessionTtlSeconds);
  return `${provider.cookieName('session')}=${session.jti}`;
}

/**
 * Signs in the person of the authorization request's `login_hint`. Stores nothing: a browser shows the picker each
 * time, and a program works without cookies.
 */
export function signInByHint(provider: Provider, people: readonly DemoPerson[]): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== paths.authorization) return next();
    const email = normalizeEmail(ctx.query['login_hint']);
    ctx.req.headers.cookie =
      email === undefined ? '' : await sessionCookie(provider, personOf(email, people).subject);
    await next();
    ctx.res.removeHeader('set-cookie');
  };
}

interface PickerOptions {
  people: readonly DemoPerson[];
  applications: readonly Application[];
  /** Authorization path of this kind of application. */
  authorizationPathOf(clientId: string): string;
}

/** Shows the account picker, to which the library redirects requests without an account. */
export function accountPicker(options: PickerOptions): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== paths.picker || ctx.method !== 'GET') return next();
    const request = new URLSearchParams(ctx.querystring);
    const clientId = request.get('client_id') ?? '';
    const application = options.applications.find((one) => one.id === clientId);
    const hint = request.get('login_hint') ?? '';
    ctx.set('content-security-policy', pagePolicy);
    ctx.set('referrer-policy', 'no-referrer');
    ctx.set('cache-control', 'no-store');
    ctx.type = 'html';
    ctx.body = pickerPage({
      people: options.people,
      applicationName: application?.name ?? 'the application',
      authorizationPath: options.authorizationPathOf(clientId),
      request,
      refusedHint: normalizeEmail(hint) === undefined ? hint : '',
    });
  };
}
