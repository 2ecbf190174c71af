import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A problem with the name or the text of a new feature. */
export class FeatureError extends Error {}

interface NewFeature {
  /** Of the group and its folder: lower case, with dashes between words. */
  readonly name: string;
  /** What the group is about, in one sentence, for the documentation of the API. */
  readonly text: string;
}

/** A file with lists that have an entry for each group, and the import that they need. */
interface Registry {
  readonly file: string;
  readonly lists: readonly List[];
  readonly importLine: string;
}

interface List {
  /** The line that begins the list. */
  readonly begin: RegExp;
  readonly place: 'first' | 'last';
  readonly entry: string;
}

const contractIndex = 'packages/contract/src/index.ts';

/**
 * Adds an empty feature: its group in the contract, its routes, a first table and fixtures, and its entry in every list of
 * groups.
 *
 * @param root - the folder of the repository
 * @returns the files, relative to `root`
 * @throws FeatureError for a name or a text that doesn't fit, or a feature that exists already
 */
export function addFeature(
  root: string,
  { name, text }: NewFeature,
): { created: readonly string[]; changed: readonly string[] } {
  assertName(name);
  if (!/^[A-Z].*\.$/.test(text)) {
    throw new FeatureError(
      `Say in one sentence what it is about: pnpm new:feature ${name} 'Labels that tasks carry.'`,
    );
  }
  const files = filesOf(name, text);
  const existing = Object.keys(files).find((file) => existsSync(join(root, file)));
  if (existing !== undefined) throw new FeatureError(`${existing} exists already.`);

  const changes = {
    ...Object.fromEntries(
      registriesOf(name).map((registry) => [registry.file, entered(root, registry)]),
    ),
    [contractIndex]: exported(root, name),
  };
  for (const [file, content] of Object.entries({ ...files, ...changes })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return { created: Object.keys(files), changed: Object.keys(changes) };
}

function assertName(name: string): void {
  if (/^[a-z]+(-[a-z]+)*$/.test(name)) return;
  throw new FeatureError(
    `Name the feature as its group: lower case, with dashes between words, such as labels; not "${name}".`,
  );
}

const identifierOf = (name: string) =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function filesOf(name: string, text: string): Record<string, string> {
  const group = identifierOf(name);
  const table = name.replaceAll('-', '_');
  return {
    [`packages/contract/src/${name}.ts`]: `/** ${text} */
export const ${group} = {};
`,
    [`packages/contract/src/${name}-group.ts`]: `import { group } from './group.ts';

export const ${group}Group = group({
  description: '${text.replaceAll("'", "\\'")}',
  // Where assistants find its operations.
  toolset: null,
  // What its activities are about; empty if it records none.
  resources: {},
});
`,
    [`apps/api/src/features/${name}/routes.ts`]: `import { feature } from '../../http/feature.ts';

export function ${group}Feature() {
  return feature('${group}', {});
}
`,
    [`apps/api/src/features/${name}/tables.ts`]: `import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { timestamp } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';
import { users } from '../auth/tables.ts';
import { organizations } from '../organizations/tables.ts';

export const ${group} = tenantTable(
  pgTable(
    '${table}',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      id: uuid().notNull(),
      name: text().notNull(),
      createdBy: uuid()
        .notNull()
        .references(() => users.id),
      createdAt: timestamp().notNull(),
      updatedAt: timestamp().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.id] }),
      index('${table}_newest').on(table.organizationId, table.createdAt, table.id),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { createdBy: 'keep' },
    onAccountExported: { rows: 'createdBy', columns: ['id', 'name', 'createdAt', 'updatedAt'] },
    distribution: 'organization',
    uniqueEverywhere: ['id'],
  },
);
`,
    [`apps/api/src/features/${name}/testing.ts`]: `import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';

export const ${group}Fixtures: FeatureFixtures<'${group}'> = {
  inputs: {},
};
`,
  };
}

function registriesOf(name: string): Registry[] {
  const group = identifierOf(name);
  return [
    {
      file: 'packages/contract/src/contract.ts',
      lists: [
        {
          begin: /^export type Contract = \{$/,
          place: 'last',
          entry: `  readonly ${group}: typeof ${group};`,
        },
        { begin: /^export const contract: Contract = \{$/, place: 'last', entry: `  ${group},` },
      ],
      importLine: `import { ${group} } from './${name}.ts';`,
    },
    {
      file: 'packages/contract/src/groups.ts',
      lists: [
        {
          begin: /^export const groupCatalogue = \{$/,
          place: 'last',
          entry: `  ${group}: ${group}Group,`,
        },
      ],
      importLine: `import { ${group}Group } from './${name}-group.ts';`,
    },
    {
      file: 'apps/api/src/features.ts',
      lists: [{ begin: /^\} = \{$/, place: 'last', entry: `  ${group}: ${group}Feature,` }],
      importLine: `import { ${group}Feature } from './features/${name}/routes.ts';`,
    },
    {
      file: 'apps/api/src/whole-service/fixtures.ts',
      lists: [
        {
          begin: /^const fixtures: .* = \{$/,
          // Parts go before wholes, and a new group has rarely any.
          place: 'first',
          entry: `  ${group}: ${group}Fixtures,`,
        },
      ],
      importLine: `import { ${group}Fixtures } from '../features/${name}/testing.ts';`,
    },
  ];
}

function entered(root: string, { file, lists, importLine }: Registry): string {
  const before = readFileSync(join(root, file), 'utf8').split('\n');
  const after = lists.reduce((lines, { begin, place, entry }) => {
    const start = lines.findIndex((candidate) => begin.test(candidate));
    if (start === -1) throw new Error(`${file} has no line like ${begin}: change add-feature.ts`);
    const end = lines.findIndex((line, index) => index > start && line.startsWith('}'));
    return lines.toSpliced(place === 'first' ? start + 1 : end, 0, entry);
  }, before);
  const lastImport = after.findLastIndex((candidate) => candidate.startsWith('import '));
  return after.toSpliced(lastImport, 0, importLine).join('\n');
}

/** The index of the contract, with the module of the group in alphabetical order. */
function exported(root: string, name: string): string {
  const line = `export * from './${name}.ts';`;
  const lines = readFileSync(join(root, contractIndex), 'utf8').trimEnd().split('\n');
  const next = lines.findIndex((other) => other.startsWith('export * ') && other > line);
  return `${lines.toSpliced(next === -1 ? lines.length : next, 0, line).join('\n')}\n`;
}
