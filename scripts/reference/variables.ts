import { variables } from '../../apps/api/src/variables.ts';
import { markdownTable } from './markdown.ts';

type Schema = (typeof variables.shape)[keyof typeof variables.shape];

interface Group {
  readonly title: string;
  /** Matches the names of the group's variables. The first group that matches takes a variable. */
  readonly names: RegExp;
}

const groups: readonly Group[] = [
  {
    title: 'Addresses',
    names: /^(HOST|PORT|BASE_URL|APP_URL|WEB_APP_DIR|CORS_ORIGINS|TRUSTED_PROXIES)$/,
  },
  { title: 'Database', names: /^(DATABASE|SEARCH)_/ },
  { title: 'Object storage', names: /^S3_/ },
  { title: 'Mail', names: /^(SMTP|MAIL)_/ },
  { title: 'Secrets and administrators', names: /^(JWT|TOKEN_ENVELOPE|ADMIN)_/ },
  { title: 'Sign-in with a provider', names: /^OAUTH_/ },
  { title: 'Passwords', names: /^(PASSWORD_|BREACHED_PASSWORDS_)/ },
  { title: 'Uploads', names: /^UPLOAD_/ },
  { title: 'Webhooks', names: /^OUTBOUND_/ },
  { title: 'Rate limits', names: /^(RATE_LIMIT|REDIS)_/ },
  { title: 'Processes and jobs', names: /^(ATELIER_PROCESSES$|JOBS$|JOB_|ACTIVITY_)/ },
  { title: 'Load and shutdown', names: /^(REQUEST_TIMEOUT_MS$|MAX_|SHUTDOWN_|KNOWN_PAGES_)/ },
  { title: 'Vulnerability reports', names: /^SECURITY_/ },
  { title: 'Logs, metrics and traces', names: /^(LOG|METRICS|OTEL)_/ },
];

/**
 * Renders the page of the API's variables from the schema of its configuration.
 *
 * @throws Error naming a variable that belongs to no group
 */
export function variablesPage(): string {
  const entries = Object.entries(variables.shape).map(
    ([name, schema]) => [groupOf(name), name, schema] as const,
  );
  const required = entries.flatMap(([, name, schema]) =>
    schema.safeParse(undefined).success ? [] : [`\`${name}\``],
  );
  const sections = groups.map(({ title }) => {
    const rows = entries.flatMap(([group, name, schema]) =>
      group === title ? [rowOf(name, schema)] : [],
    );
    return `## ${title}\n\n${markdownTable(['Variable', 'Default', 'Meaning'], rows)}`;
  });
  return `# Variables

The API, the worker and the migrations read these environment variables. \`pnpm reference\` writes this page from the
descriptions in \`apps/api/src/variables.ts\`.

Required: ${required.join(', ')}; \`JWT_SECRET\` or \`JWT_SECRETS\`;
\`TOKEN_ENVELOPE_KEY\` or \`TOKEN_ENVELOPE_KEYS\`.

\`pnpm start\` sets what its embedded services need. A variable that you set replaces the embedded service that it
belongs to (\`DATABASE_URL\`, \`S3_ENDPOINT\`, \`SMTP_URL\`, \`OAUTH_…\`). \`ATELIER_DATA_DIR\` is the directory where
\`pnpm start\` keeps everything; the default is \`.data\`.

${sections.join('\n')}`;
}

function groupOf(name: string): string {
  const group = groups.find(({ names }) => names.test(name));
  if (group) return group.title;
  throw new Error(
    `No group of the variables page takes ${name}. Add the name or its prefix to a group in scripts/reference/variables.ts.`,
  );
}

function rowOf(name: string, schema: Schema): string[] {
  const absent = schema.safeParse(undefined);
  return [
    `\`${name}\``,
    absent.success ? shown(absent.data) : '**required**',
    schema.description ?? '',
  ];
}

function shown(value: string | number | boolean | readonly string[] | undefined): string {
  return value === undefined || (Array.isArray(value) && value.length === 0)
    ? ''
    : `\`${String(value)}\``;
}
