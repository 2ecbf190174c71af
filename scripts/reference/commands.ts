import { markdownTable } from './markdown.ts';

interface Group {
  readonly title: string;
  /** The manifest whose scripts the group describes. */
  readonly manifest: 'package.json' | 'apps/api/package.json';
  /** What you type, from the script's name on, and what it does. */
  readonly commands: Readonly<Record<string, string>>;
}

const groups: readonly Group[] = [
  {
    title: 'Run',
    manifest: 'package.json',
    commands: {
      start: 'Starts the whole product on embedded services',
      'quickstart [files…]': 'Signs in, uploads, downloads and compares, with the packed client',
      mock: 'Starts the mock server; `--seed` gives the same data again',
    },
  },
  {
    title: 'Run in production',
    manifest: 'apps/api/package.json',
    commands: {
      generate: 'Writes the schema index from every `tables.ts`; part of `pnpm generate`',
      'check:generated': 'Checks that the schema index is current; part of `pnpm check`',
      build: 'Bundles the API, the worker and the migrations into `apps/api/dist`',
      start: 'Starts the API alone, from its [variables](variables.md)',
      worker: 'Runs jobs in a process of their own, with `JOBS=separate`',
      migrate: 'Migrates the database',
    },
  },
  {
    title: 'Operate',
    manifest: 'package.json',
    commands: {
      'operator grant-admin <email>': 'Makes the account a platform administrator',
      'operator revoke-admin <email>': 'Takes that right away',
      'operator suspend <email>': 'Suspends the account and ends its sessions',
      'operator reinstate <email>': 'Reinstates a suspended account',
      'operator sessions <email>': "Lists the account's open sessions",
      'operator end-sessions <email>': 'Ends them',
      'operator reset-second-factor <email>':
        'Removes the second factor of the account and ends its sessions',
      'operator jobs [--failed]': "Lists the jobs that aren't done, or those out of attempts",
      'operator retry-job <id>': 'Runs a job now, with all its attempts',
      'operator reindex': 'Builds the search indexes of all organizations anew',
      'operator storage [--fix [--remove-most]]':
        'Compares storage and database; with `--fix`, ends expired uploads and deletes what nothing refers to, but not most of the bucket without `--remove-most`, in case the database is not the one of the bucket. Exits with 1 if an expired upload could not be ended, or most of the bucket would go; missing objects fail `verify` only',
      'operator verify': 'Checks every invariant of the data, in database and storage',
      'operator distribute [--print]':
        'Distributes the organizations over the workers of a Citus cluster; with `--print`, prints the statements',
    },
  },
  {
    title: 'Change the code',
    manifest: 'package.json',
    commands: {
      'new:feature <name> <text>':
        'Lays out an empty feature and enters it in every list of groups',
      generate: 'Writes every generated file; if the schema has changed, also a migration',
      reference: 'Writes the pages of `docs/reference` that are made from code',
      'reference:client': "Writes the API reference of the client's types",
      format: 'Formats the code',
      lint: 'Lints the code',
      check:
        'Checks format, lint, types, architecture, unused code, packages, sizes and generated files',
    },
  },
  {
    title: 'Test',
    manifest: 'package.json',
    commands: {
      test: 'Runs every test that needs no browser, on real Postgres, object storage and SMTP',
      'test:quick':
        'Runs the same without the files tagged `// @module-tag slow`, in three minutes at most on two cores',
      'test:browser': 'Runs the journeys through the web app and the client in Chromium',
      'test:browser:quick':
        'Runs the same without the files tagged `// @module-tag slow`, in five minutes at most on two cores',
      'test:browser:mock': 'Runs those that need no real storage against the mock',
      'test:citus [files…]':
        'Runs the service on a Citus cluster: distribution with rows, statements, conformance and live updates',
      'test:citus:faults [--only <fault>,…] [--clients <n>] [--seed <n>]':
        'Kills, freezes, adds and removes workers of a Citus cluster, and kills its coordinator, while clients write',
      'test:faults [--seed <n>] [--seconds <n>] [--injected-faults]':
        'Applies load while Postgres, storage, mail and API fail, then checks that nothing is lost',
      'test:scale [--only <part>] [--clients <n>]':
        'Runs four instances behind HAProxy and PgBouncer, and kills and stops instances under load',
      'test:failover [--only <fault>,…] [--seed <n>]':
        'Runs three Postgres servers under Patroni, and kills and freezes them under load',
      'test:storage-faults [--only <part>] [--rounds <n>]':
        'Runs the API on a Ceph of three OSDs, and kills and freezes its parts while files are uploaded',
      'fuzz [--requests <n>] [--seed <n>] [--groups <a,b>]':
        'Sends hostile requests made from the contract',
      'check:image [--image <name>]':
        'Builds the container image and uses it as a deployment does; needs Docker or Podman',
      'check:consumers [--install]':
        'Starts the packed command line and the program for assistants; uses the packed packages and the document with compilers, ts-rest, versions of zod, bundlers, workerd, Next, generators and API explorers',
      'check:runtimes': 'Runs the packed client in every supported runtime',
      'check:audit': 'Reports known vulnerabilities of production dependencies',
      'make:sbom': 'Writes the bill of materials (CycloneDX) to `reports/sbom.cdx.json`',
      'screenshots [names…]': 'Takes screenshots of the web app into `reports/screenshots`',
    },
  },
  {
    title: 'Measure',
    manifest: 'package.json',
    commands: {
      'bench [--opponents]': 'Measures the API; beside other frameworks with `--opponents`',
      'bench:products': 'Measures whole products that do the same',
      'bench:tooling [--tests]': 'Measures starts, type checks and the client; and the test suite',
      'bench:client': 'Measures what clients add to a page',
      'bench:web [loads]':
        'Measures first and largest content, layout shifts, and how soon menu, dialog and moved card show',
      'bench:upload [MiB]': 'Measures how much memory a large upload costs the API',
      'bench:webhooks [messages]':
        'Measures what one process delivers to a fast receiver, and what webhooks cost mutations',
      'bench:rls': 'Measures the cost of row-level security',
      'bench:growth [MOST_ROWS]':
        'Measures requests in organizations of 1,000 to 1,000,000 rows, and beside 10,000 others',
      'bench:builds MAIN_JS OTHER_MAIN_JS [ROUNDS]':
        'Compares two builds of the API by turns, by requests and processor time',
      'bench:commits [ROUNDS]': 'Measures comments with and without a pause before each commit',
      'bench:processes [PROCESSES] [ROUNDS]':
        'Compares several processes on one port (`ATELIER_PROCESSES`) with one, by turns',
      'bench:keys [ROUNDS]': 'Compares requests with an API key and with an access token',
      'bench:codes': 'Compares a table of short codes with an index on the assets',
      'bench:search': 'Measures search in an organization with 1,000,000 documents',
      'bench:notifications': 'Measures an inbox of 5,000 unread and 100,000 read notifications',
      'bench:citus [rounds]':
        'Measures what a distributed database costs, and how its work moves to the workers',
      'bench:follower [rate] [seconds]':
        'Measures how far the consumers of the activity log stay behind 200 changes a second',
      'bench:statements':
        'Lists the statements of a test run, with calls, mean times of planning and execution, and rows',
      'bench:document': 'Writes [the benchmark report](benchmark.md) from the last runs',
    },
  },
];

/** Reads the scripts of a manifest. */
type ScriptsOf = (manifest: Group['manifest']) => readonly string[];

/**
 * Renders the page of commands.
 *
 * @throws Error naming every script without a description and every description without a script
 */
export function commandsPage(scriptsOf: ScriptsOf): string {
  const problems = manifests().flatMap((manifest) => problemsOf(manifest, scriptsOf(manifest)));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const sections = groups.map(({ title, manifest, commands }) => {
    const prefix = manifest === 'package.json' ? 'pnpm' : 'pnpm --filter @atelier/api';
    const rows = Object.entries(commands).map(([command, text]) => [
      `\`${prefix} ${command}\``,
      text,
    ]);
    return `## ${title}\n\n${markdownTable(['Command', 'What it does'], rows)}`;
  });
  return `# Commands

\`pnpm reference\` writes this page from \`scripts/reference/commands.ts\`. \`bench\`, \`mock\` and \`operator\`
print their options with \`--help\`. The [README](../../README.md#try-it) shows how to run them without pnpm installed.

${sections.join('\n')}
Tests use Postgres in a container where a container engine responds, and the embedded Postgres elsewhere. The run
says which.
`;
}

function manifests(): Group['manifest'][] {
  return [...new Set(groups.map(({ manifest }) => manifest))];
}

function problemsOf(manifest: Group['manifest'], scripts: readonly string[]): string[] {
  const described = new Set(
    groups
      .filter((group) => group.manifest === manifest)
      .flatMap(({ commands }) => Object.keys(commands).map((command) => command.split(' ')[0])),
  );
  return [
    ...scripts
      .filter((script) => !described.has(script))
      .map(
        (script) =>
          `${manifest} has the script "${script}", which no page describes. Add to a group of ${manifest} in scripts/reference/commands.ts:\n  '${script}': 'What it does',`,
      ),
    ...[...described]
      .filter((script) => script !== undefined && !scripts.includes(script))
      .map(
        (script) =>
          `scripts/reference/commands.ts describes "${script}", which ${manifest} doesn't have. Remove that line.`,
      ),
  ];
}
