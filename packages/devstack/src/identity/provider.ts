// Packages that import these sources need the declarations too.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./oidc-provider.d.ts" />
import type {
  ClientMetadata,
  Configuration,
  KoaContextWithOIDC,
  Provider as OidcProvider,
} from 'oidc-provider';
import { AccessDenied } from 'oidc-provider/lib/helpers/errors.js';
import { Check, Prompt } from 'oidc-provider/lib/helpers/interaction_policy/index.js';
import { Provider } from 'oidc-provider/lib/provider.js';
import { ProviderMemory, memoryAdapter } from './memory-adapter.ts';
import { refusalPage } from './pages.ts';
import type { DemoPerson, Person } from './people.ts';
import { personBySubject } from './people.ts';
import type { SigningKey } from './signing-key.ts';

/** An application that may use the provider. */
export interface Application {
  id: string;
  secret: string;
  name: string;
  redirectUris: readonly string[];
}

export interface ProviderOptions {
  issuer: string;
  signingKey: SigningKey;
  applications: readonly Application[];
  people: readonly DemoPerson[];
}

export const paths = {
  authorization: '/authorize',
  token: '/token',
  jwks: '/jwks',
  userinfo: '/userinfo',
  picker: '/select-account',
};

/** GitHub's scopes mean nothing to the provider; the dialect implements them. */
export const githubScopes = ['read:user', 'user:email', 'user'];

const maxRememberedArtifacts = 20_000;
const codeTtlSeconds = 60;
const accessTokenTtlSeconds = 3_600;
const signInTtlSeconds = 600;

/** Real providers accept the secret in the header and in the body; the library allows only one of them per client. */
function authenticationMethod(): 'client_secret_basic' | 'client_secret_post' {
  const isHeaderSent = Provider.ctx?.get('authorization') !== '';
  return isHeaderSent ? 'client_secret_basic' : 'client_secret_post';
}

function clientMetadata({ id, secret, name, redirectUris }: Application): ClientMetadata {
  return {
    client_id: id,
    client_secret: secret,
    client_name: name,
    redirect_uris: [...redirectUris],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: authenticationMethod(),
    id_token_signed_response_alg: 'RS256',
  };
}

function claimsOf(person: Person, issuer: string): { sub: string; [claim: string]: unknown } {
  return {
    sub: person.subject,
    email: person.email,
    email_verified: person.isEmailVerified,
    name: person.name,
    given_name: person.givenName,
    family_name: person.familyName,
    picture: `${issuer}/avatars/${person.numericId}.svg`,
  };
}

/** Grants every request without a consent page unless the person declines. */
async function grantWhatIsAsked(ctx: KoaContextWithOIDC, person: Person) {
  if (person.isDeclining) throw new AccessDenied('the person declined to sign in');
  const { provider, client, params } = ctx.oidc;
  const grant = new provider.Grant({ accountId: person.subject, clientId: client?.clientId ?? '' });
  if (typeof params?.['scope'] === 'string') grant.addOIDCScope(params['scope']);
  await grant.save();
  return grant;
}

/** Requires an account in each request: the session is created from its `login_hint`. */
const signInPolicy = [
  new Prompt(
    { name: 'login', requestable: true },
    new Check('no_account_chosen', 'choose an account', 'login_required', (ctx) =>
      ctx.oidc.session?.accountId === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  ),
  new Prompt({ name: 'select_account', requestable: true }),
  new Prompt({ name: 'consent', requestable: true }),
];

function configuration(options: ProviderOptions): Configuration {
  const { issuer, people } = options;
  const memory = new ProviderMemory(maxRememberedArtifacts);
  return {
    adapter: (kind) => {
      const adapter = memoryAdapter(kind, memory);
      if (kind !== 'Client') return adapter;
      const find = async (id: string) => {
        const application = options.applications.find((one) => one.id === id);
        return application === undefined ? undefined : { ...clientMetadata(application) };
      };
      return { ...adapter, find };
    },
    jwks: { keys: [options.signingKey] },
    routes: {
      authorization: paths.authorization,
      token: paths.token,
      jwks: paths.jwks,
      userinfo: paths.userinfo,
    },
    responseTypes: ['code'],
    scopes: ['openid', 'profile', 'email', ...githubScopes],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
    },
    // Google includes a person's claims in the identity token, and applications read them there.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
    },
    ttl: {
      AuthorizationCode: codeTtlSeconds,
      AccessToken: accessTokenTtlSeconds,
      IdToken: accessTokenTtlSeconds,
      Grant: signInTtlSeconds + accessTokenTtlSeconds,
      Session: signInTtlSeconds,
      Interaction: signInTtlSeconds,
    },
    clientBasedCORS: () => false,
    findAccount: (_ctx, subject) => {
      const person = personBySubject(subject, people);
      if (person === undefined) return undefined;
      return { accountId: subject, claims: async () => claimsOf(person, issuer) };
    },
    loadExistingGrant: async (ctx) => {
      const person = personBySubject(ctx.oidc.account?.accountId ?? '', people);
      return person === undefined ? undefined : grantWhatIsAsked(ctx, person);
    },
    interactions: {
      policy: signInPolicy,
      url: (ctx) => `${paths.picker}?${ctx.querystring}`,
    },
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = refusalPage(out.error, out.error_description ?? '');
    },
  };
}

/** Creates the OpenID provider, without pages and without GitHub's dialect. */
export function createProvider(options: ProviderOptions): OidcProvider {
  return new Provider(options.issuer, configuration(options));
}
