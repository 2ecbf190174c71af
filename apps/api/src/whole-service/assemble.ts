import { buildApp } from '../app.ts';
import { startJobs } from '../jobs/start.ts';
import { createDeps, migrate, setUpStorage } from '../process.ts';
import type { AssembleService } from '../testing/service.ts';

export const assemble: AssembleService = async ({ config, log, clock, hasSchedule }) => {
  // The template database has no policies.
  if (config.DATABASE_ROW_LEVEL_SECURITY) await migrate(config);
  const { deps, close } = await createDeps({ config, log, clock, telemetry: null });
  await setUpStorage(deps);
  const app = await buildApp(deps);
  const jobs =
    config.JOBS === 'in-process' ? await startJobs(deps, hasSchedule ? undefined : []) : null;
  return {
    app,
    deps,
    async close() {
      await app.close();
      await jobs?.stop();
      await close();
    },
  };
};
