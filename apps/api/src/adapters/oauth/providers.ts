import type { Config } from '../../config.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  IdentityProvider,
  IdentityProviders,
  ProviderId,
} from '../../ports/identity-provider.ts';
import { createGithubProvider } from './github.ts';
import { createOpenIdProvider } from './openid.ts';

/** Creates the providers that have a client id and a secret. */
export function createIdentityProviders(config: Config, clock: Clock): IdentityProviders {
  return { google: googleOf(config, clock), github: githubOf(config) };
}

function googleOf(config: Config, clock: Clock): IdentityProvider | null {
  const { OAUTH_GOOGLE_CLIENT_ID: clientId, OAUTH_GOOGLE_CLIENT_SECRET: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  return createOpenIdProvider(
    {
      id: 'google',
      clientId,
      clientSecret,
      authorizationEndpoint: config.OAUTH_GOOGLE_AUTHORIZATION_ENDPOINT,
      tokenEndpoint: config.OAUTH_GOOGLE_TOKEN_ENDPOINT,
      jwksUri: config.OAUTH_GOOGLE_JWKS_URI,
      issuer: config.OAUTH_GOOGLE_ISSUER,
      redirectUri: callbackAddress(config, 'google'),
    },
    clock,
  );
}

function githubOf(config: Config): IdentityProvider | null {
  const { OAUTH_GITHUB_CLIENT_ID: clientId, OAUTH_GITHUB_CLIENT_SECRET: clientSecret } = config;
  if (clientId === undefined || clientSecret === undefined) return null;
  return createGithubProvider({
    clientId,
    clientSecret,
    authorizationEndpoint: config.OAUTH_GITHUB_AUTHORIZATION_ENDPOINT,
    tokenEndpoint: config.OAUTH_GITHUB_TOKEN_ENDPOINT,
    userEndpoint: config.OAUTH_GITHUB_USER_ENDPOINT,
    emailsEndpoint: config.OAUTH_GITHUB_EMAILS_ENDPOINT,
    redirectUri: callbackAddress(config, 'github'),
  });
}

function callbackAddress({ BASE_URL }: Config, provider: ProviderId): string {
  return `${BASE_URL}/api/auth/${provider}/callback`;
}
