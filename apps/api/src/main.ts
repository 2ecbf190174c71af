import { buildApp } from './app.ts';
import { migrateDatabase } from './db/migrate.ts';
import { createProcessLog } from './log.ts';
import { StorageSetupError } from './ports/object-store.ts';
import {
  configOrExit,
  createDeps,
  directDatabaseUrl,
  setUpStorage,
  startJobs,
  stopOnSignals,
} from './process.ts';

const config = configOrExit(process.env);
const log = createProcessLog(config.LOG_LEVEL);

try {
  const [{ deps, close }] = await Promise.all([
    createDeps(config, log).then(async (made) => {
      await setUpStorage(made.deps);
      return made;
    }),
    migrateDatabase(directDatabaseUrl(config)),
  ]);
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
  if (error instanceof StorageSetupError)
    log.fatal(`the service could not start: ${error.message}`);
  else log.fatal({ err: error }, 'the service could not start');
  process.exit(1);
}
