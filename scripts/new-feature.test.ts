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
const text = 'Labels that tasks carry.';

describe('a new feature', () => {
  test('gets its files, and an entry in every list of groups', () => {
    const { created, changed } = addFeature(root, { name: 'task-labels', text });
    expect(changed).toEqual(registries);
    expect(created.map((file) => dirname(file))).toEqual([
      'packages/contract/src',
      'packages/contract/src',
      'apps/api/src/features/task-labels',
      'apps/api/src/features/task-labels',
      'apps/api/src/features/task-labels',
    ]);
    expect(read('packages/contract/src/task-labels.ts')).toContain('export const taskLabels = {};');
    expect(read('packages/contract/src/contract.ts')).toContain(
      "import { taskLabels } from './task-labels.ts';",
    );
    expect(read('packages/contract/src/index.ts')).toContain(
      "'./targets.ts';\nexport * from './task-labels.ts';\n",
    );
    expect(read('packages/contract/src/task-labels-group.ts')).toContain(
      `  description: '${text}',`,
    );
    for (const [file, value] of [
      ['packages/contract/src/groups.ts', 'taskLabelsGroup'],
      ['apps/api/src/features.ts', 'taskLabelsFeature'],
      ['apps/api/src/whole-service/fixtures.ts', 'taskLabelsFixtures'],
    ] as const) {
      expect(read(file)).toContain(`  taskLabels: ${value},`);
      expect(read(file)).toContain(`import { ${value} } from`);
    }
  });

  test('gets a table with its declaration', () => {
    addFeature(root, { name: 'task-labels', text });
    const tables = read('apps/api/src/features/task-labels/tables.ts');
    expect(tables).toContain(
      "export const taskLabels = tenantTable(\n  pgTable(\n    'task_labels',",
    );
    expect(tables).toContain("onOrganizationDeleted: 'delete'");
  });

  test.each(['', 'Labels', 'task labels', '../labels', 'labels-'])(
    'is not named %j, and nothing is written',
    (name) => {
      expect(() => addFeature(root, { name, text })).toThrow('lower case');
      expect(read('apps/api/src/features.ts')).not.toContain('abels');
    },
  );

  test.each(['', 'labels that tasks carry.', 'Labels that tasks carry'])(
    'is not about %j: the documentation shows a sentence',
    (sentence) => {
      expect(() => addFeature(root, { name: 'labels', text: sentence })).toThrow('one sentence');
    },
  );

  test('does not take the place of one that exists', () => {
    addFeature(root, { name: 'labels', text });
    expect(() => addFeature(root, { name: 'labels', text })).toThrow('exists already');
  });
});
