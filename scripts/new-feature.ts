/** Lays out an empty feature: `pnpm new:feature labels 'Labels that tasks carry.'`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { addFeature, FeatureError } from './new-feature/add-feature.ts';

const root = join(import.meta.dirname, '..');
const [name = '', text = ''] = process.argv.slice(2);

try {
  const { created, changed } = addFeature(root, { name, text });
  // The formatter decides where a longer list of imports is broken.
  spawnSync('oxfmt', [...created, ...changed], { cwd: root, stdio: 'inherit' });
  console.log(`Created:\n${created.map((file) => `  ${file}`).join('\n')}`);
  console.log(`Entered in:\n${changed.map((file) => `  ${file}`).join('\n')}`);
  console.log(`
Next:
  1. Declare what its activities are about in ${created[1]}.
  2. Declare the operations in ${created[0]}, each with its targets, errors and activity,
     and with \`isAddition: true\` if the specification doesn't have it.
     New permissions go into packages/contract/src/access.ts, new errors into packages/contract/src/errors.ts.
  3. Complete the table in apps/api/src/features/${name}/tables.ts, or delete the file.
  4. Run \`npx -y pnpm@12.21.0 generate\`, then implement what doesn't compile any more:
     routes.ts, usecases.ts, queries.ts and the inputs in testing.ts of apps/api/src/features/${name}.
  5. Run \`npx -y pnpm@12.21.0 check\` and the tests; they name what is missing.`);
} catch (error) {
  if (!(error instanceof FeatureError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
