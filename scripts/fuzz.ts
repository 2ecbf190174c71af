import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

// pnpm fuzz --requests 100000 --seed 7 --groups account,security: sends more of the hostile requests of the test.
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000_000)) },
    groups: { type: 'string', default: '' },
  },
});
const { groups, ...numbers } = values;
for (const [name, value] of Object.entries(numbers)) {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`--${name} takes a whole number above 0`);
}

const { status } = spawnSync(
  'vitest',
  ['run', '--config', 'vitest.workspace.ts', '--project', 'api', 'src/whole-service/fuzz.test.ts'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_REQUESTS: values.requests,
      FUZZ_SEED: values.seed,
      FUZZ_GROUPS: groups,
    },
  },
);
process.exitCode = status ?? 1;
