import { setTimeout as delay } from 'node:timers/promises';
import { buildApp } from './app.ts';
import type { JobRunner } from './jobs/runner.ts';
import { createProcessLog } from './log.ts';
import { StorageSetupError } from './ports/object-store.ts';
import type { Config } from './config.ts';
import { stopOnSignals } from './lifecycle.ts';
import { checkPolicies, createDeps, migrate, setUpStorage } from './process.ts';
import { startTelemetry } from './telemetry/start.ts';

/** Serves the API in this process, with the jobs unless they are separate. Exits with 1 if that can't start. */
export async function serve(config: Config): Promise<void> {
  const telemetry = await startTelemetry(config);
  const log = createProcessLog(config.LOG_LEVEL, telemetry?.logFields);
  const stopping = new AbortController();

  try {
    if (telemetry?.metricsAddress) log.info(`metrics at ${telemetry.metricsAddress}`);
    const migrated = migrate(config);
    // A failure before it is awaited is also a failure of the start.
    migrated.catch(() => undefined);
    const { deps, close } = await createDeps({ config, log, telemetry, stopping: stopping.signal });
    const ready = migrated.then(() => checkPolicies(deps));
    const [app] = await Promise.all([buildApp(deps), setUpStorage(deps), ready]);
    let jobs: JobRunner | null = null;

    stopOnSignals(async () => {
      log.info('stopping');
      stopping.abort();
      if (config.SHUTDOWN_DRAIN_MS > 0) await delay(config.SHUTDOWN_DRAIN_MS);
      await app.close();
      await jobs?.stop();
      await close();
      await telemetry?.stop();
    }, config.SHUTDOWN_DRAIN_MS + config.SHUTDOWN_TIMEOUT_MS);

    await app.listen({ host: config.HOST, port: config.PORT });
    // A process that waits for the line with the address needn't wait for other lines.
    log.flush();
    if (config.JOBS === 'in-process') {
      // Requests don't wait for what only jobs need.
      const { startJobs } = await import('./jobs/start.ts');
      jobs = await startJobs(deps);
    }
  } catch (error) {
    if (error instanceof StorageSetupError)
      log.fatal(`the service could not start: ${error.message}`);
    else log.fatal({ err: error }, 'the service could not start');
    process.exit(1);
  }
}
