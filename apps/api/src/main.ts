import { buildApp } from './app.ts';
import { migrateDatabase } from './db/migrate.ts';
import { createLog } from './log.ts';
import { configOrExit, createDeps, startJobs, stopOnSignals } from './process.ts';

const config = configOrExit(process.env);
const log = createLog(config.LOG_LEVEL);

try {
  const [{ deps, close }] = await Promise.all([
    createDeps(config, log),
    migrateDatabase(config.DATABASE_URL),
  ]);
  await deps.store.ensureBucket();
  const app = await buildApp(deps);
  const jobs = config.JOBS === 'in-process' ? await startJobs(deps) : null;

  stopOnSignals(async () => {
    log.info('stopping');
    await app.close();
    await jobs?.stop();
    await close();
  }, config.SHUTDOWN_TIMEOUT_MS);

  await app.listen({ host: config.HOST, port: config.PORT });
} catch (error) {
  log.fatal({ err: error }, 'the service could not start');
  process.exit(1);
}
