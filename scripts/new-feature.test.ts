import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addFeature } from './new-feature/add-feature.ts';

const repository = join(import.meta.dirname, '..');
const registries = [
  'packages/contract/src/contract.ts',
  'packages/contract/src/groups.ts',
  'apps/api/src/features.ts',
  'apps/api/src/whole-service/fixtures.ts',
  'packages/contract/src/index.ts',
];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'new-feature-'));
  for (const file of registries) {
    cpSync(join(repository, file), join(root, file), { recursive: true });
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const text = 'Widgets that tasks carry.';

describe('a new feature', () => {
  test('gets its files, and an entry in every list of groups', () => {
    const { created, changed } = addFeature(root, { name: 'task-widgets', text });
    expect(changed).toEqual(registries);
    expect(created.map((file) => dirname(file))).toEqual([
      'packages/contract/src',
      'packages/contract/src',
      'apps/api/src/features/task-widgets',
      'apps/api/src/features/task-widgets',
      'apps/api/src/features/task-widgets',
    ]);
    expect(read('packages/contract/src/task-widgets.ts')).toContain(
      'export const taskWidgets = {};',
    );
    expect(read('packages/contract/src/contract.ts')).toContain(
      "import { taskWidgets } from './task-widgets.ts';",
    );
    expect(read('packages/contract/src/contract.ts')).toContain(
      '  readonly taskWidgets: typeof taskWidgets;\n};\n',
    );
    expect(read('packages/contract/src/contract.ts')).toContain('  taskWidgets,\n} satisfies');
    expect(read('packages/contract/src/index.ts')).toContain(
      "'./task-status.ts';\nexport * from './task-widgets.ts';\n",
    );
    expect(read('packages/contract/src/task-widgets-group.ts')).toContain(
      `  description: '${text}',`,
    );
    for (const [file, value] of [
      ['packages/contract/src/groups.ts', 'taskWidgetsGroup'],
      ['apps/api/src/features.ts', 'taskWidgetsFeature'],
    ] as const) {
      expect(read(file)).toMatch(new RegExp(`^  taskWidgets: ${value},\n\\}`, 'm'));
      expect(read(file)).toContain(`import { ${value} } from`);
    }
    // Its fixtures go before those of wholes that it may be a part of.
    const fixtures = read('apps/api/src/whole-service/fixtures.ts');
    expect(fixtures).toMatch(/ = \{\n  taskWidgets: taskWidgetsFixtures,\n/);
    expect(fixtures).toContain('import { taskWidgetsFixtures } from');
  });

  test('gets a table with its declaration', () => {
    addFeature(root, { name: 'task-widgets', text });
    const tables = read('apps/api/src/features/task-widgets/tables.ts');
    expect(tables).toContain(
      "export const taskWidgets = tenantTable(\n  pgTable(\n    'task_widgets',",
    );
    expect(tables).toContain("onOrganizationDeleted: 'delete'");
  });

  test.each(['', 'Widgets', 'task widgets', '../widgets', 'widgets-'])(
    'is not named %j, and nothing is written',
    (name) => {
      expect(() => addFeature(root, { name, text })).toThrow('lower case');
      expect(read('apps/api/src/features.ts')).not.toContain('idgets');
    },
  );

  test.each(['', 'widgets that tasks carry.', 'Widgets that tasks carry'])(
    'is not about %j: the documentation shows a sentence',
    (sentence) => {
      expect(() => addFeature(root, { name: 'widgets', text: sentence })).toThrow('one sentence');
    },
  );

  test('does not take the place of one that exists', () => {
    addFeature(root, { name: 'widgets', text });
    expect(() => addFeature(root, { name: 'widgets', text })).toThrow('exists already');
  });
});
