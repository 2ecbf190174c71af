/** Test code: tests, and what only tests use. */
const tests = '(\\.test\\.ts$|/testing/|/testing\\.ts$|/type-tests/|/whole-service/)';

/** Where SQL may be written. */
const sqlHomes = [
  '/queries\\.ts$',
  '/queries/',
  '^apps/api/src/db/',
  '/tables\\.ts$',
  // A transaction's activity row and jobs are written by the same two statements everywhere.
  '^apps/api/src/domain/activity\\.ts$',
  '^apps/api/src/domain/job-queue\\.ts$',
  '^apps/api/src/adapters/rate-limits/postgres\\.ts$',
];

/** Tables lie with what owns their rows; the generated schema index gathers them for everybody. */
const tables = '^apps/api/src/.*/tables\\.ts$';

/** The layers of the server from the ground up: each imports only from itself and from those before it. */
const layers = {
  ports: '^apps/api/src/(ports/|variable-kinds\\.ts$|package-dir\\.ts$)',
  config: '^apps/api/src/(config|log|variables)\\.ts$',
  kernel: '^apps/api/src/kernel/',
  db: '^apps/api/src/db/',
  adapters: '^apps/api/src/adapters/',
  domain: '^apps/api/src/(domain/|deps\\.ts$)',
  http: '^apps/api/src/http/',
  features: '^apps/api/src/(features|jobs|operator)/',
  telemetry: '^apps/api/src/telemetry/',
  app: '^apps/api/src/(process|features|app|main|worker|migrate|operator)\\.ts$',
};

const layerRules = Object.keys(layers).map((name, index, names) => ({
  name: `${name}-imports-nothing-above-it`,
  comment: `The layers, from the ground up: ${names.join(', ')}.`,
  severity: 'error',
  from: { path: layers[name], pathNot: [tests, tables, '^apps/api/src/db/generated/'] },
  to: { path: names.slice(index + 1).map((above) => layers[above]), pathNot: tests },
}));

const vagueNames = '/(util|utils|helper|helpers|manager|common|misc|data)(/|\\.ts$)';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules.filter(({ to }) => to.path.length > 0),
    {
      name: 'tables-know-tables-alone',
      comment: 'Every layer reads the schema index, so what it gathers stands on the ground.',
      severity: 'error',
      from: { path: tables },
      to: { path: '^apps/api/src/', pathNot: [tables, '^apps/api/src/db/(columns|tenancy)\\.ts$'] },
    },
    {
      name: 'testing-knows-no-feature',
      comment:
        'Features are tested with it. What needs all of them lives in whole-service/, which registers the service.',
      severity: 'error',
      from: { path: '^apps/api/src/testing/' },
      to: {
        path: [layers.features, layers.app, '^apps/api/src/whole-service/'],
        pathNot: '/operator/',
      },
    },
    {
      name: 'tables-by-the-schema-index',
      severity: 'error',
      from: { path: '^apps/api/src/', pathNot: [tables, '^apps/api/src/db/generated/'] },
      to: { path: tables },
    },
    {
      name: 'features-do-not-import-each-other',
      comment: 'What two features need lives in domain/.',
      severity: 'error',
      from: { path: '^apps/api/src/features/([^/]+)/' },
      to: { path: '^apps/api/src/features/', pathNot: ['^apps/api/src/features/$1/', tables] },
    },
    {
      name: 'sql-in-queries-only',
      comment:
        'Queries are the only SQL: neither the driver, the query builder nor the tables leave them.',
      severity: 'error',
      from: { path: '^apps/api/src/', pathNot: [...sqlHomes, tests] },
      to: { path: ['/node_modules/(drizzle-orm|postgres)/', '^apps/api/src/db/generated/'] },
    },
    {
      name: 'ts-rest-in-two-places',
      comment: 'The contract is written with ts-rest, and one file adapts it to Fastify.',
      severity: 'error',
      from: {
        path: '^(apps|packages)/',
        pathNot: ['^packages/contract/src/', '^apps/api/src/http/(feature|validation)\\.ts$'],
      },
      to: { path: '/node_modules/@ts-rest/' },
    },
    {
      name: 'contract-is-a-leaf',
      comment: 'Everybody imports the contract, so it imports nobody.',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { path: '^(apps|packages)/', pathNot: '^packages/contract/' },
    },
    {
      name: 'packages-know-no-apps',
      comment:
        'Packages are published or serve several apps. A test that needs both belongs to the app.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'client-stands-alone',
      comment:
        'The published client has no dependencies: what it knows of the contract is generated.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: tests },
      to: {
        path: '.',
        // Optional peers: of the first, only types are used; the second belongs to one entry.
        pathNot: ['^packages/client/src/', '@tanstack', '/node_modules/client-zip/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'client-runs-anywhere',
      comment: 'Browsers, workers and other runtimes have no modules of Node.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-devstack-in-production',
      comment: 'Production code has no embedded services; tests and the start command bring them.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: ['^packages/devstack/', tests] },
      to: { path: '^packages/devstack/' },
    },
    {
      name: 'no-tests-in-production',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'no-vague-names',
      comment: 'Name a module by what it holds.',
      severity: 'error',
      from: {},
      to: { path: vagueNames, pathNot: 'node_modules' },
    },
    {
      name: 'no-cycles',
      comment: 'Types count: two files that know each other can be read only together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'Nobody imports it and it is no entry point: use it or delete it.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '\\.config\\.ts$',
          '^scripts/',
          '/scripts/',
          tests,
          // Loaded by the page of the app before everything else.
          '^apps/web/public/',
          // The build chooses it to withdraw the other one.
          '^apps/web/worker/withdrawn\\.ts$',
          // Stands in for a package that a product under test asks for.
          '^tools/benchmarks/products/directus/no-isolates/',
          // Put into the page of the reference as it is.
          '^apps/api/src/features/documentation/page/script\\.js$',
          // Preloaded into the API's process by its path.
          '^packages/devstack/src/start/exit-with-parent\\.ts$',
          '^tools/faults/src/shifted-clock\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'resolvable',
      severity: 'error',
      // What scripts/consumers.ts installs and generates.
      from: { pathNot: '^packages/contract/consumer/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'declared',
      comment: 'Production code imports what its own package.json lists under dependencies.',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        // A peer is installed by who uses the package, and here for development.
        dependencyTypesNot: ['type-only', 'npm-peer'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What these projects import is installed by the benchmark and by `pnpm check:consumers`.
    exclude: { path: ['/dist/', '^tools/benchmarks/opponents/', '^packages/client/frameworks/'] },
    // Rules hold for `import type` too.
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
