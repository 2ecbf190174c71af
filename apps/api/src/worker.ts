import { startJobs } from './jobs/start.ts';
import { createProcessLog } from './log.ts';
import { configOrExit, stopOnSignals } from './lifecycle.ts';
import { checkPolicies, createDeps, migrate } from './process.ts';
import { startTelemetry } from './telemetry/start.ts';

const config = configOrExit(process.env);
const telemetry = await startTelemetry(config);
const log = createProcessLog(config.LOG_LEVEL, telemetry?.logFields);

try {
  if (telemetry?.metricsAddress) log.info(`metrics at ${telemetry.metricsAddress}`);
  // As the API does: jobs of this release don't run on the schema of an earlier one.
  await migrate(config);
  const { deps, close } = await createDeps({ config, log, telemetry });
  await checkPolicies(deps);
  const jobs = await startJobs(deps);
  log.info('jobs are running');

  stopOnSignals(async () => {
    log.info('stopping');
    await jobs.stop();
    await close();
    await telemetry?.stop();
  }, config.SHUTDOWN_TIMEOUT_MS);
} catch (error) {
  log.fatal({ err: error }, 'the job runner could not start');
  process.exit(1);
}
