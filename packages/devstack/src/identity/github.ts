import type { AccessToken, Provider } from 'oidc-provider';
import type { Context, Middleware } from './middleware.ts';
import type { DemoPerson, Person } from './people.ts';
import { personBySubject } from './people.ts';
import { githubScopes, paths } from './provider.ts';

/** GitHub's paths, below our prefix. */
export const githubPaths = {
  authorization: '/github/login/oauth/authorize',
  token: '/github/login/oauth/access_token',
  user: '/github/user',
  emails: '/github/user/emails',
};

/** GitHub's names of standard OAuth errors. */
const githubErrors: Readonly<Record<string, string>> = {
  invalid_client: 'incorrect_client_credentials',
  invalid_grant: 'bad_verification_code',
};

function toAuthorization(ctx: Context): void {
  ctx.path = paths.authorization;
  const asked = String(ctx.query['scope'] ?? '').split(/[\s,]+/);
  const known = asked.filter((scope) => githubScopes.includes(scope));
  // GitHub grants a request without scopes access to public data.
  ctx.query = { ...ctx.query, scope: known.length === 0 ? 'user' : known.join(' ') };
  delete ctx.query['nonce'];
}

/** Rewrites a token response as GitHub does: 200 also for errors, and a form unless the client accepts JSON. */
function rewriteForGithub(ctx: Context): void {
  const body: unknown = ctx.body;
  if (typeof body !== 'object' || body === null) return;
  const response = new Map<string, unknown>(Object.entries(body));
  const error = response.get('error');
  if (typeof error === 'string') {
    ctx.status = 200;
    response.set('error', githubErrors[error] ?? error);
  } else {
    response.delete('expires_in');
    response.set('token_type', 'bearer');
  }
  const fields = Object.fromEntries(response);
  if (ctx.accepts('application/x-www-form-urlencoded', 'application/json') === 'application/json') {
    ctx.body = fields;
    return;
  }
  const texts = [...response].map(([name, value]): [string, string] => [name, String(value)]);
  ctx.type = 'application/x-www-form-urlencoded';
  ctx.body = new URLSearchParams(texts).toString();
}

function userOf(person: Person, issuer: string): object {
  return {
    id: person.numericId,
    login: person.login,
    name: person.name,
    email: person.email,
    avatar_url: `${issuer}/avatars/${person.numericId}.svg`,
  };
}

interface GithubOptions {
  provider: Provider;
  clientId: string;
  people: readonly DemoPerson[];
}

async function presentedToken(
  ctx: Context,
  options: GithubOptions,
): Promise<AccessToken | undefined> {
  const [, value] = /^(?:bearer|token) (\S+)$/i.exec(ctx.get('authorization')) ?? [];
  if (value === undefined) return undefined;
  const token = await options.provider.AccessToken.find(value);
  return token?.clientId === options.clientId ? token : undefined;
}

async function answerAboutUser(ctx: Context, options: GithubOptions): Promise<void> {
  const token = await presentedToken(ctx, options);
  const person = personBySubject(token?.accountId ?? '', options.people);
  ctx.set('cache-control', 'no-store');
  if (token === undefined || person === undefined) {
    ctx.status = 401;
    ctx.body = { message: 'Bad credentials' };
    return;
  }
  if (ctx.path === githubPaths.user) {
    ctx.body = userOf(person, options.provider.issuer);
    return;
  }
  const mayReadEmails = [...token.scopes].some(
    (scope) => scope === 'user' || scope === 'user:email',
  );
  if (!mayReadEmails) {
    ctx.status = 404;
    ctx.body = { message: 'Not Found' };
    return;
  }
  ctx.body = [
    { email: person.email, primary: true, verified: person.isEmailVerified, visibility: 'public' },
  ];
}

/** Makes the provider behave like GitHub: other paths, other scopes, and profiles by `GET /user`. */
export function githubDialect(options: GithubOptions): Middleware {
  return async (ctx, next) => {
    switch (ctx.path) {
      case githubPaths.authorization:
        toAuthorization(ctx);
        return next();
      case githubPaths.token:
        ctx.path = paths.token;
        await next();
        return rewriteForGithub(ctx);
      case githubPaths.user:
      case githubPaths.emails:
        return ctx.method === 'GET' ? answerAboutUser(ctx, options) : next();
      default:
        return next();
    }
  };
}
