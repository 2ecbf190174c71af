import { createServer } from 'node:http';
import type { Middleware } from './middleware.ts';
import { closeHttp, isLoopbackHost, listen } from '../http/loopback.ts';
import { githubDialect, githubPaths } from './github.ts';
import type { DemoPerson } from './people.ts';
import { defaultPeople } from './people.ts';
import type { Application } from './provider.ts';
import { createProvider, paths } from './provider.ts';
import { accountPicker, signInByHint } from './sign-in.ts';
import { signingKey } from './signing-key.ts';

export type { DemoPerson } from './people.ts';

/** The registration of an application with the provider. */
export interface ApplicationRegistration {
  clientId: string;
  clientSecret: string;
  /** Allowed redirect URLs, compared exactly. */
  redirectUris: readonly string[];
}

export interface IdentityProviderOptions {
  /** Default 0 = a free port. */
  port?: number;
  google: ApplicationRegistration;
  github: ApplicationRegistration;
  /** Accounts that the picker offers. */
  people?: readonly DemoPerson[];
  /** Stores the signing key (mode 0600); without it, each run generates a key. */
  dataDir?: string;
}

export interface RunningIdentityProvider {
  issuer: string;
  port: number;
  google: {
    authorizationEndpoint: string;
    tokenEndpoint: string;
    jwksUri: string;
    issuer: string;
    clientId: string;
    clientSecret: string;
  };
  github: {
    authorizationEndpoint: string;
    tokenEndpoint: string;
    userEndpoint: string;
    emailsEndpoint: string;
    clientId: string;
    clientSecret: string;
  };
  stop(): Promise<void>;
}

const applicationName = 'Atelier';

function applicationOf(registration: ApplicationRegistration): Application {
  const { clientId, clientSecret, redirectUris } = registration;
  return { id: clientId, secret: clientSecret, name: applicationName, redirectUris };
}

/** Draws a coloured disc, so that profiles have a picture without a request to another host. */
const avatars: Middleware = async (ctx, next) => {
  const [, id] = /^\/avatars\/(\d{1,16})\.svg$/.exec(ctx.path) ?? [];
  if (id === undefined) return next();
  ctx.type = 'image/svg+xml';
  ctx.body =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">' +
    `<circle cx="4" cy="4" r="4" fill="hsl(${Number(id) % 360} 60% 55%)"/></svg>`;
};

/**
 * Starts a real OpenID provider for development, with an account picker instead of passwords. It also implements
 * GitHub's OAuth dialect.
 *
 * A `login_hint` with an e-mail address skips the picker; a local part that ends in `+unverified`
 * signs in with an unverified address, one that ends in `+deny` is refused with `access_denied`.
 * Codes expire after 60 s and need PKCE with S256.
 *
 * @throws the system's error when the port is taken (EADDRINUSE); Error when the stored key is malformed
 */
export async function startIdentityProvider(
  options: IdentityProviderOptions,
): Promise<RunningIdentityProvider> {
  const { google, github, people = defaultPeople } = options;
  const key = await signingKey(options.dataDir);
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  const issuer = `http://localhost:${port}`;
  const applications = [applicationOf(google), applicationOf(github)];
  const provider = createProvider({ issuer, signingKey: key, applications, people });
  provider.use(githubDialect({ provider, clientId: github.clientId, people }));
  provider.use(avatars);
  provider.use(
    accountPicker({
      people,
      applications,
      authorizationPathOf: (clientId) =>
        clientId === github.clientId ? githubPaths.authorization : paths.authorization,
    }),
  );
  provider.use(signInByHint(provider, people));
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (isLoopbackHost(request.headers.host)) void handle(request, response);
    else response.writeHead(421).end();
  });
  return {
    issuer,
    port,
    google: {
      issuer,
      authorizationEndpoint: issuer + paths.authorization,
      tokenEndpoint: issuer + paths.token,
      jwksUri: issuer + paths.jwks,
      clientId: google.clientId,
      clientSecret: google.clientSecret,
    },
    github: {
      authorizationEndpoint: issuer + githubPaths.authorization,
      tokenEndpoint: issuer + githubPaths.token,
      userEndpoint: issuer + githubPaths.user,
      emailsEndpoint: issuer + githubPaths.emails,
      clientId: github.clientId,
      clientSecret: github.clientSecret,
    },
    stop: () => closeHttp(server),
  };
}
