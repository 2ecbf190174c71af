import { createProcessLog } from './log.ts';
import { configOrExit, createDeps, startJobs, stopOnSignals } from './process.ts';

const config = configOrExit(process.env);
const log = createProcessLog(config.LOG_LEVEL);

try {
  const { deps, close } = await createDeps(config, log);
  const jobs = await startJobs(deps);
  log.info('jobs are running');

  stopOnSignals(async () => {
    log.info('stopping');
    await jobs.stop();
    await close();
  }, config.SHUTDOWN_TIMEOUT_MS);
} catch (error) {
  log.fatal({ err: error }, 'the job runner could not start');
  process.exit(1);
}
