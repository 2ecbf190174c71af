/** Test code: tests, and what only tests use. */
const tests = '(\\.test\\.ts$|/testing/|/type-tests/)';

/** Where SQL may be written. */
const sqlHomes = [
  '/queries\\.ts$',
  '/queries/',
  '^apps/api/src/db/',
  // A transaction's activity row and jobs are written by the same two statements everywhere.
  '^apps/api/src/kernel/activity\\.ts$',
  '^apps/api/src/jobs/queue\\.ts$',
];

const vagueNames = '/(util|utils|helper|helpers|manager|common|misc|data)(/|\\.ts$)';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'rooms-share-no-walls',
      comment: 'What two rooms need lives in kernel/ or in a workflow.',
      severity: 'error',
      from: { path: '^apps/api/src/features/([^/]+)/' },
      to: { path: '^apps/api/src/features/', pathNot: '^apps/api/src/features/$1/' },
    },
    {
      name: 'sql-in-queries-only',
      comment:
        'Queries are the only SQL: neither the driver, the query builder nor the tables leave them.',
      severity: 'error',
      from: { path: '^apps/api/src/', pathNot: [...sqlHomes, tests] },
      to: { path: ['/node_modules/(drizzle-orm|postgres)/', '^apps/api/src/db/schema/'] },
    },
    {
      name: 'ts-rest-in-two-places',
      comment:
        'The contract is written with ts-rest, and the room adapts it; nobody else knows it.',
      severity: 'error',
      from: {
        path: '^(apps|packages)/',
        pathNot: ['^packages/contract/src/', '^apps/api/src/http/(room|validation)\\.ts$'],
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
      to: { path: '.', pathNot: '^packages/client/src/', dependencyTypesNot: ['core'] },
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
      comment: 'A cycle through a type alone is gone when the code runs.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared',
      comment: 'Production code imports what its own package.json lists under dependencies.',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The packages of opponents are installed by the benchmark.
    exclude: { path: ['/dist/', '^tools/benchmarks/opponents/'] },
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
