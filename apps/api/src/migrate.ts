import { createProcessLog } from './log.ts';
import { configOrExit } from './lifecycle.ts';
import { migrate } from './process.ts';

const config = configOrExit(process.env);
const log = createProcessLog(config.LOG_LEVEL);

try {
  await migrate(config);
  log.info('the database is up to date');
} catch (error) {
  log.fatal({ err: error }, 'the database could not be brought up to date');
  process.exitCode = 1;
}
