import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startIdentityProvider } from './identity/index.ts';
import type { RunningIdentityProvider } from './identity/index.ts';
import { lockDirectory } from './lock.ts';
import { startMailInbox } from './mail/index.ts';
import type { RunningMailInbox } from './mail/index.ts';
import { startOnFreePorts } from './ports.ts';
import { startPostgres } from './postgres/index.ts';
import type { RunningPostgres } from './postgres/index.ts';
import type { S3Server } from './s3/index.ts';
import { startS3Server } from './s3/index.ts';
import type { Secrets } from './secrets.ts';
import { loadSecrets } from './secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface DevstackPorts {
  storage: number;
  smtp: number;
  mail: number;
  identity: number;
  /** 0 = a free port. */
  postgres: number;
}

export interface DevstackOptions {
  /** Created if missing; one stack at a time. */
  dataDir: string;
  /** Services that are configured here are not embedded. */
  env: Environment;
  /** Public URL of the API, to which sign-in providers redirect browsers. */
  baseUrl: string;
  /** Public URL of the web app, whose pages may use the storage. Default: `baseUrl`. */
  appUrl?: string;
  /** Preferred ports; the next free one replaces a taken one. */
  ports?: Partial<DevstackPorts>;
}

/** Addresses of the services; null for a service that is not embedded. */
export interface DevstackAddresses {
  mail: string | null;
  storage: string;
  identity: string | null;
  databaseUrl: string;
}

export interface Devstack {
  /** Every variable that the API needs; values of the caller stay unchanged. */
  environment: Record<string, string>;
  addresses: DevstackAddresses;
  secrets: Secrets;
  /** Whether the database is embedded, so that it may be seeded. */
  isDatabaseEmbedded: boolean;
  /** Resolves to the reason when a service ends unexpectedly. */
  failed: Promise<string>;
  /** Records the address of this process for later processes. */
  announce(serves: string): void;
  stop(): Promise<void>;
  /** Kills child processes at once, for a process that is about to exit. */
  abort(): void;
}

export const defaultPorts: DevstackPorts = {
  storage: 9000,
  smtp: 1025,
  mail: 1080,
  identity: 4000,
  postgres: 0,
};

interface Services {
  postgres?: RunningPostgres;
  storage?: S3Server;
  mail?: RunningMailInbox;
  identity?: RunningIdentityProvider;
}

interface StartOptions extends DevstackOptions {
  ports: DevstackPorts;
  secrets: Secrets;
  storageKeys: { accessKey: string; secretKey: string };
  region: string;
  bucket: string;
}

function isProvided(env: Environment, prefix: string): boolean {
  return Object.entries(env).some(([name, value]) => name.startsWith(prefix) && Boolean(value));
}

/** They lead to the same Postgres as DATABASE_URL, which alone decides whether that is the caller's. */
const companionsOfDatabase = [
  'DATABASE_MIGRATION_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
] as const;

function refuseForeignDatabase(env: Environment): void {
  const given = companionsOfDatabase.filter((name) => env[name]);
  if (env['DATABASE_URL'] || given.length === 0) return;
  const them = given.length === 1 ? 'it' : 'them';
  throw new Error(
    `Without DATABASE_URL, an embedded Postgres would start, but ${given.join(' and ')} would lead to another. ` +
      `Set DATABASE_URL as well to run on that database, or unset ${them}.`,
  );
}

function refuseForeignStorage(env: Environment): void {
  if (env['S3_ENDPOINT'] || !env['S3_PUBLIC_ENDPOINT']) return;
  throw new Error(
    'Without S3_ENDPOINT, an embedded object store would start, but S3_PUBLIC_ENDPOINT would lead browsers to another. ' +
      'Set S3_ENDPOINT as well to run on that storage, or unset it.',
  );
}

function startDatabase({
  env,
  dataDir,
  ports,
}: StartOptions): Promise<RunningPostgres> | undefined {
  if (env['DATABASE_URL']) return undefined;
  const directory = join(dataDir, 'postgres');
  if (ports.postgres === 0) return startPostgres({ dataDir: directory });
  return startOnFreePorts([ports.postgres], ([port = 0]) =>
    startPostgres({ dataDir: directory, port }),
  );
}

function startStorage(options: StartOptions): Promise<S3Server> | undefined {
  const { env, dataDir, ports, storageKeys, region, baseUrl, appUrl = baseUrl } = options;
  if (env['S3_ENDPOINT']) return undefined;
  return startOnFreePorts([ports.storage], ([port = 0]) =>
    startS3Server({
      ...storageKeys,
      dataDir: join(dataDir, 'storage'),
      region,
      port,
      allowedOrigins: [...new Set([baseUrl, appUrl].map((address) => new URL(address).origin))],
    }),
  );
}

function startMail({ env, ports }: StartOptions): Promise<RunningMailInbox> | undefined {
  if (env['SMTP_URL']) return undefined;
  return startOnFreePorts([ports.smtp, ports.mail], ([smtpPort = 0, httpPort = 0]) =>
    startMailInbox({ smtpPort, httpPort }),
  );
}

function startIdentity(options: StartOptions): Promise<RunningIdentityProvider> | undefined {
  const { env, dataDir, ports, secrets, baseUrl } = options;
  const areBothProvided = isProvided(env, 'OAUTH_GOOGLE_') && isProvided(env, 'OAUTH_GITHUB_');
  if (areBothProvided) return undefined;
  const callback = (provider: string): string => `${baseUrl}/api/auth/${provider}/callback`;
  return startOnFreePorts([ports.identity], ([port = 0]) =>
    startIdentityProvider({
      port,
      dataDir: join(dataDir, 'identity'),
      google: {
        clientId: 'atelier-google',
        clientSecret: secrets.googleClientSecret,
        redirectUris: [callback('google')],
      },
      github: {
        clientId: 'atelier-github',
        clientSecret: secrets.githubClientSecret,
        redirectUris: [callback('github')],
      },
    }),
  );
}

async function stopServices({ postgres, storage, mail, identity }: Services): Promise<void> {
  await Promise.all([postgres?.stop(), storage?.stop(), mail?.stop(), identity?.stop()]);
}

/** Starts all services in parallel; if one fails, stops the others. */
async function startServices(options: StartOptions): Promise<Services> {
  const services: Services = {};
  const keep = async <Name extends keyof Services>(
    name: Name,
    start: Promise<NonNullable<Services[Name]>> | undefined,
  ): Promise<void> => {
    if (start !== undefined) services[name] = await start;
  };
  const outcomes = await Promise.allSettled([
    keep('postgres', startDatabase(options)),
    keep('storage', startStorage(options)),
    keep('mail', startMail(options)),
    keep('identity', startIdentity(options)),
  ]);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return services;
  await stopServices(services);
  throw failure.reason;
}

function oauthEnvironment(env: Environment, identity: RunningIdentityProvider | undefined) {
  if (identity === undefined) return {};
  const { google, github } = identity;
  return {
    ...(!isProvided(env, 'OAUTH_GOOGLE_') && {
      OAUTH_GOOGLE_CLIENT_ID: google.clientId,
      OAUTH_GOOGLE_CLIENT_SECRET: google.clientSecret,
      OAUTH_GOOGLE_AUTHORIZATION_ENDPOINT: google.authorizationEndpoint,
      OAUTH_GOOGLE_TOKEN_ENDPOINT: google.tokenEndpoint,
      OAUTH_GOOGLE_JWKS_URI: google.jwksUri,
      OAUTH_GOOGLE_ISSUER: google.issuer,
    }),
    ...(!isProvided(env, 'OAUTH_GITHUB_') && {
      OAUTH_GITHUB_CLIENT_ID: github.clientId,
      OAUTH_GITHUB_CLIENT_SECRET: github.clientSecret,
      OAUTH_GITHUB_AUTHORIZATION_ENDPOINT: github.authorizationEndpoint,
      OAUTH_GITHUB_TOKEN_ENDPOINT: github.tokenEndpoint,
      OAUTH_GITHUB_USER_ENDPOINT: github.userEndpoint,
      OAUTH_GITHUB_EMAILS_ENDPOINT: github.emailsEndpoint,
    }),
  };
}

function environmentOf(options: StartOptions, services: Services): Record<string, string> {
  const { env, secrets, storageKeys, region, bucket } = options;
  const { postgres, storage, mail, identity } = services;
  const embedded: Record<string, string> = {
    ...(postgres !== undefined && {
      DATABASE_URL: postgres.serviceUrl,
      DATABASE_MIGRATION_URL: postgres.url,
    }),
    // A storage of the caller comes with its own keys.
    ...(storage !== undefined && {
      S3_ENDPOINT: storage.endpoint,
      S3_ACCESS_KEY: storageKeys.accessKey,
      S3_SECRET_KEY: storageKeys.secretKey,
      S3_REGION: region,
      S3_BUCKET: bucket,
    }),
    ...(mail !== undefined && { SMTP_URL: mail.smtpUrl }),
    ...oauthEnvironment(env, identity),
    MAIL_FROM: 'Atelier <no-reply@atelier.localhost>',
    // Receivers of webhooks run on the same machine.
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    OUTBOUND_ALLOW_HTTP: 'true',
    JWT_SECRET: secrets.jwtSecret,
    TOKEN_ENVELOPE_KEY: secrets.tokenEnvelopeKey,
  };
  // A list of keys replaces the single one; both together are an error.
  const single = Object.entries(embedded).filter(([name]) => !env[`${name}S`]);
  const provided = Object.entries(env).filter(
    ([name, value]) => name in embedded && Boolean(value),
  );
  return {
    ...Object.fromEntries(single),
    ...Object.fromEntries(provided.map(([name, value]) => [name, value ?? ''])),
  };
}

function endOf(postgres: RunningPostgres | undefined): Promise<string> {
  if (postgres === undefined) return new Promise(() => undefined);
  return postgres.exited.then(
    () => 'Postgres ended unexpectedly; its log is postgres/postgres.log.',
  );
}

/**
 * Starts the services that the environment does not provide, in parallel, each on its default port or the next
 * free one.
 *
 * A provided `DATABASE_URL`, `S3_ENDPOINT`, `SMTP_URL` or any `OAUTH_<provider>_…` replaces its service.
 *
 * @throws DirectoryInUse when another stack uses the directory; Error with the remedy when another URL of a database is
 * provided without `DATABASE_URL` or one of a storage without `S3_ENDPOINT`, before anything is made, or when a service can't be started, after stopping the others
 */
export async function startDevstack(options: DevstackOptions): Promise<Devstack> {
  const dataDir = resolve(options.dataDir);
  const { env } = options;
  refuseForeignDatabase(env);
  refuseForeignStorage(env);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(dataDir);
  try {
    const secrets = loadSecrets(dataDir);
    const startOptions: StartOptions = {
      ...options,
      dataDir,
      secrets,
      ports: { ...defaultPorts, ...options.ports },
      storageKeys: {
        accessKey: env['S3_ACCESS_KEY'] || secrets.s3AccessKey,
        secretKey: env['S3_SECRET_KEY'] || secrets.s3SecretKey,
      },
      region: env['S3_REGION'] || 'us-east-1',
      bucket: env['S3_BUCKET'] || 'atelier',
    };
    const services = await startServices(startOptions);
    const environment = environmentOf(startOptions, services);
    return {
      environment,
      secrets,
      addresses: {
        mail: services.mail?.url ?? null,
        storage: services.storage?.endpoint ?? env['S3_ENDPOINT'] ?? '',
        identity: services.identity?.issuer ?? null,
        databaseUrl: services.postgres?.url ?? env['DATABASE_URL'] ?? '',
      },
      isDatabaseEmbedded: services.postgres !== undefined,
      failed: endOf(services.postgres),
      abort: () => services.postgres?.abort(),
      announce: (serves) => lock.announce(serves),
      stop: async () => {
        await stopServices(services);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
