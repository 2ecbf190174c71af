import { z } from 'zod';
import { rateLimitVariables } from './rate-limit-variables.ts';
import {
  contacts,
  databaseUrl,
  endpointUrl,
  envelopeKey,
  flag,
  httpUrl,
  integer,
  isAddressOrRange,
  list,
  listOf,
  origins,
  port,
  signingSecret,
  url,
} from './variable-kinds.ts';

const loopbackUrl = (port: number) => `http://localhost:${port}`;

/** Every variable of the service: its shape, its unit, its default. `docs/reference/variables.md` is made from it. */
export const variables = z.object({
  HOST: z.string().min(1).default('0.0.0.0').describe('Address to listen on.'),
  PORT: port().default(3000).describe('Port to listen on; 0 takes a free one.'),
  BASE_URL: httpUrl()
    .default(loopbackUrl(3000))
    .describe('Public address of the API, without a trailing slash.'),
  APP_URL: httpUrl()
    .default(loopbackUrl(3000))
    .describe('Public address of the web app; mails link to it.'),
  WEB_APP_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Directory of the built web app, such as `apps/web/dist`: its pages are then served as well. Default: the API alone.',
    ),
  CORS_ORIGINS: origins()
    .default([])
    .describe(
      'Additional origins whose pages may use the API, such as `https://app.example.com`, comma-separated; `*` for all.',
    ),
  TRUSTED_PROXIES: list()
    .refine((entries) => entries.every(isAddressOrRange), {
      error: 'expected IP addresses or CIDR ranges, comma-separated',
    })
    .default([])
    .describe(
      'Proxies whose X-Forwarded-For counts: IP addresses or CIDR ranges, comma-separated.',
    ),
  OUTBOUND_ALLOWED_NETWORKS: list()
    .refine((entries) => entries.every(isAddressOrRange), {
      error: 'expected IP addresses or CIDR ranges, comma-separated',
    })
    .default([])
    .describe(
      'Networks that webhooks may reach although they are not public: IP addresses or CIDR ranges, comma-separated. Default: none, and every address has to be public.',
    ),
  OUTBOUND_ALLOW_HTTP: flag()
    .default(false)
    .describe('Whether webhooks may go to `http:` addresses, for a network of your own.'),
  ...rateLimitVariables,
  REDIS_URL: url(['redis:', 'rediss:'])
    .optional()
    .describe('Redis that counts for the rate limits instead of Postgres.'),
  DATABASE_URL: databaseUrl().describe(
    'Postgres connection string, with one host that leads to the primary.',
  ),
  DATABASE_DIRECT_URL: databaseUrl()
    .optional()
    .describe(
      'The same Postgres past a pooler such as PgBouncer: for jobs, live updates and `pnpm operator`. Default: `DATABASE_URL`.',
    ),
  DATABASE_MIGRATION_URL: databaseUrl()
    .optional()
    .describe(
      'The same Postgres as the owner of the tables, for migrations and, if `ACTIVITY_RETENTION_MONTHS` is set, for jobs. The migrations then create the role of `DATABASE_URL` if it is missing, and grant it rows but no tables. Default: the addresses above, whose role owns everything.',
    ),
  DATABASE_PREPARE: flag()
    .default(true)
    .describe(
      'Whether statements are prepared once for each connection; `false` behind a pooler in transaction mode that knows no prepared statements, such as PgBouncer before 1.21, and before 1.24 without `max_prepared_statements`.',
    ),
  DATABASE_ROW_LEVEL_SECURITY: flag()
    .default(false)
    .describe(
      'Whether row-level security limits statements to the organization of the request. Requires `DATABASE_MIGRATION_URL`: the migrations create or remove the policies, and every process needs the same value.',
    ),
  DATABASE_REPLICA_URL: databaseUrl()
    .optional()
    .describe(
      'Read replica for timelines and dashboards, used when it has caught up with what they show. Default: the primary serves them.',
    ),
  DATABASE_POOL_MAX: integer(1, 500)
    .default(10)
    .describe(
      'Maximum pool size of one process. Beside it, two connections find out who sends a request and, without a pooler, four read pages of tasks.',
    ),
  DATABASE_POOL_SHARE: integer(1, 500)
    .optional()
    .describe(
      'Maximum connections that the changes of one organization hold at a time. Default: four fifths of the pool.',
    ),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(100, 600_000)
    .default(15_000)
    .describe('Statement timeout, in milliseconds.'),
  SEARCH_TIMEOUT_MS: integer(50, 60_000)
    .default(400)
    .describe(
      'Time of the statement of a search, in milliseconds; suggestions have a quarter. A search that takes longer returns what it finds among fewer documents.',
    ),
  DATABASE_LOCK_TIMEOUT_MS: integer(100, 600_000)
    .default(10_000)
    .describe('Lock timeout of a statement, in milliseconds.'),
  S3_ENDPOINT: httpUrl().describe('S3-compatible storage, as the API reaches it.'),
  S3_PUBLIC_ENDPOINT: httpUrl()
    .optional()
    .describe('The same storage as browsers reach it. Default: `S3_ENDPOINT`.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the storage.'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'expected a bucket name' })
    .default('atelier')
    .describe('Bucket of all files, and of nothing else; made when missing.'),
  S3_ACCESS_KEY: z.string().min(1).describe('Access key of the storage.'),
  S3_SECRET_KEY: z.string().min(1).describe('Secret key of the storage.'),
  S3_TIMEOUT_MS: integer(100, 600_000)
    .default(10_000)
    .describe(
      'Storage inactivity timeout, in milliseconds; a storage request is aborted after three times that.',
    ),
  SMTP_URL: url(['smtp:', 'smtps:']).describe('Mail server, such as `smtp://user:pass@host:587`.'),
  MAIL_FROM: z
    .string()
    .min(3)
    .default('Atelier <no-reply@atelier.localhost>')
    .describe('Sender of every mail.'),
  JWT_SECRET: signingSecret()
    .optional()
    .describe(
      'Signs tokens, and what else is handed out, by keys made of it; at least 32 bytes. Changing it ends every session, and the unsubscribe links in mails. Required without `JWT_SECRETS`.',
    ),
  JWT_SECRETS: listOf(signingSecret)
    .default([])
    .describe(
      'Several secrets instead of `JWT_SECRET`, comma-separated, so that you can rotate them without ending sessions. The first one signs, all of them verify.',
    ),
  TOKEN_ENVELOPE_KEY: envelopeKey()
    .optional()
    .describe(
      'Encrypts tokens, and secrets in the database; exactly 64 hexadecimal characters. Without the old one in `TOKEN_ENVELOPE_KEYS`, a change ends every session, authenticator app, recovery code and webhook. Required without `TOKEN_ENVELOPE_KEYS`.',
    ),
  TOKEN_ENVELOPE_KEYS: listOf(envelopeKey)
    .default([])
    .describe(
      'Instead of `TOKEN_ENVELOPE_KEY`, likewise: several, comma-separated. The first one encrypts, all of them decrypt.',
    ),
  ADMIN_EMAILS: list()
    .transform((emails) => emails.map((email) => email.toLowerCase()))
    .default([])
    .describe(
      'Accounts that become platform administrators, comma-separated, when they sign in through a provider or with a password set by a mailed reset. The password of a registration is not enough.',
    ),
  OAUTH_GOOGLE_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Client id at Google. Without id and secret, sign-in through Google responds 404.'),
  OAUTH_GOOGLE_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret at Google.'),
  OAUTH_GOOGLE_AUTHORIZATION_ENDPOINT: endpointUrl()
    .default('https://accounts.google.com/o/oauth2/v2/auth')
    .describe('Where browsers sign in; with the next three, any OpenID provider can stand in.'),
  OAUTH_GOOGLE_TOKEN_ENDPOINT: endpointUrl()
    .default('https://oauth2.googleapis.com/token')
    .describe('Where codes are exchanged.'),
  OAUTH_GOOGLE_JWKS_URI: endpointUrl()
    .default('https://www.googleapis.com/oauth2/v3/certs')
    .describe('Keys that sign id tokens.'),
  OAUTH_GOOGLE_ISSUER: endpointUrl()
    .default('https://accounts.google.com')
    .describe('Issuer of id tokens, compared exactly.'),
  OAUTH_GITHUB_CLIENT_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Client id at GitHub. Without id and secret, sign-in through GitHub responds 404.'),
  OAUTH_GITHUB_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret at GitHub.'),
  OAUTH_GITHUB_AUTHORIZATION_ENDPOINT: endpointUrl()
    .default('https://github.com/login/oauth/authorize')
    .describe('Where browsers sign in.'),
  OAUTH_GITHUB_TOKEN_ENDPOINT: endpointUrl()
    .default('https://github.com/login/oauth/access_token')
    .describe('Where codes are exchanged.'),
  OAUTH_GITHUB_USER_ENDPOINT: endpointUrl()
    .default('https://api.github.com/user')
    .describe('Who signed in.'),
  OAUTH_GITHUB_EMAILS_ENDPOINT: endpointUrl()
    .default('https://api.github.com/user/emails')
    .describe('Email addresses of who signed in.'),
  KNOWN_PAGES_MAX_BYTES: integer(0, 4 * 1024 ** 3)
    .default(32 * 1024 ** 2)
    .describe(
      'Memory of one process for pages of lists, in bytes: a page is kept until something changes in its organization. 0 keeps none. Default 32 MiB.',
    ),
  UPLOAD_MAX_FILE_BYTES: integer(1, 5 * 1024 ** 4)
    .default(5 * 1024 ** 3)
    .describe('Maximum file size, in bytes. Default 5 GiB.'),
  UPLOAD_PART_SIZE_MIN_BYTES: integer(5 * 1024 ** 2, 5 * 1024 ** 3)
    .default(8 * 1024 ** 2)
    .describe('Minimum part size of a multipart upload, in bytes. Default 8 MiB.'),
  UPLOAD_MAX_OPEN_PER_USER: integer(1, 10_000)
    .default(100)
    .describe('Uploads of one user that may be open, in all organizations together.'),
  PASSWORD_HASH_CONCURRENCY: integer(1, 64)
    .optional()
    .describe(
      'Passwords hashed at the same time; each takes 20 MB. Default: one fewer than there are cores, from 1 to 4.',
    ),
  PASSWORD_REFUSED_WORDS: list()
    .default([])
    .describe(
      'Words, such as the name of a company, of which with digits and signs alone no password may be made, comma-separated. The name of the product is always among them.',
    ),
  BREACHED_PASSWORDS_URL: httpUrl()
    .optional()
    .describe(
      'Service that knows passwords from breaches, such as `https://api.pwnedpasswords.com/range`; it is told five digits of a SHA-1. Default: none, and only the most common ones are refused.',
    ),
  REQUEST_TIMEOUT_MS: integer(1_000, 600_000)
    .default(30_000)
    .describe('Timeout for receiving a request, head and body, in milliseconds.'),
  SECURITY_CONTACT: contacts()
    .default([])
    .describe(
      'Where to report vulnerabilities, comma-separated `https:`, `mailto:` or `tel:` addresses; served as `/.well-known/security.txt`.',
    ),
  SECURITY_POLICY_URL: url(['https:'])
    .optional()
    .describe('Page about how reports are handled; named in `security.txt`.'),
  JOBS: z
    .enum(['in-process', 'separate'])
    .default('in-process')
    .describe('Where jobs run: in the API process, or in separate processes (`worker` script).'),
  ATELIER_PROCESSES: integer(1, 64)
    .default(1)
    .describe(
      'Processes that serve the one port, each with a pool of its own, its metrics at the next `METRICS_PORT`. With more than one, jobs that are `in-process` have one to themselves, with the last of those ports.',
    ),
  JOB_LEASE_SECONDS: integer(1, 4 * 60 * 60)
    .default(60)
    .describe(
      'Lease of a running job, in seconds: without a heartbeat for that long, another process takes it over.',
    ),
  ACTIVITY_RETENTION_MONTHS: integer(1, 1_200)
    .optional()
    .describe(
      'Minimum months to keep activities; older whole months are dropped. Default: all are kept.',
    ),
  MAX_EVENT_LOOP_DELAY_MS: integer(0, 600_000)
    .default(1_000)
    .describe(
      'Requests get 503 while the average event-loop delay exceeds this, in milliseconds; 0 turns it off.',
    ),
  MAX_WAITING_STATEMENTS: integer(0, 1_000_000)
    .default(1_000)
    .describe(
      'Requests get 503 while more statements than this wait for a connection; 0 turns it off.',
    ),
  SHUTDOWN_DRAIN_MS: integer(0, 300_000)
    .default(0)
    .describe(
      'After a stop signal, how long the process keeps serving while it reports that it is not ready, in milliseconds: time for a balancer to notice.',
    ),
  SHUTDOWN_TIMEOUT_MS: integer(0, 60_000)
    .default(8_000)
    .describe(
      'Time to stop after that, in milliseconds: three quarters for requests in flight, then an eighth for running jobs to finish, and the rest for them to give up and for connections to the database.',
    ),
  METRICS_PORT: port()
    .optional()
    .describe(
      'Port of `/metrics` for Prometheus, apart from the API; 0 takes a free one. Default: none.',
    ),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'Address that `METRICS_PORT` listens on. Anyone who reaches it can read the metrics.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl()
    .optional()
    .describe(
      'Where OpenTelemetry sends traces and metrics, such as `http://collector:4318`. With it (or one of the next two) the other standard `OTEL_…` variables count as well. Default: nothing is sent.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl()
    .optional()
    .describe('Where traces go, with its path, instead.'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: httpUrl()
    .optional()
    .describe('Where metrics go, with its path, instead.'),
  OTEL_METRICS_EXPORTER: z
    .enum(['otlp', 'none'])
    .default('otlp')
    .describe('`none` sends traces alone.'),
  OTEL_METRIC_EXPORT_INTERVAL: integer(10, 86_400_000)
    .default(60_000)
    .describe('How often metrics are sent, in milliseconds.'),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .default('atelier')
    .describe('Name of the service in traces and metrics.'),
  OTEL_LOG_LEVEL: z
    .enum(['all', 'verbose', 'debug', 'info', 'warn', 'error', 'none'])
    .default('error')
    .describe('What OpenTelemetry says about itself, on standard error.'),
  OTEL_SDK_DISABLED: z
    .string()
    .transform((value) => value.toLowerCase() === 'true')
    .default(false)
    .describe('`true` switches all of the above off, `METRICS_PORT` too.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line that is written.'),
});
