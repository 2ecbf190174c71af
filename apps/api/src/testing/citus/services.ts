import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageDir } from '../../package-dir.ts';
import { fastSettings } from '../database-server.ts';
import { provideServices } from '../services.ts';
import { startCitusCluster } from './cluster.ts';
import { makeTemplates } from './databases.ts';
import { findCitus } from './place.ts';

const workers = 2;

/** Vitest's global set-up on a Citus cluster instead of one Postgres. */
export default function setUp(project: TestProject): Promise<() => Promise<void>> {
  return provideServices(project, async (directory) => {
    const place = findCitus(process.env, join(packageDir, '../..'));
    if (!place) throw new Error('there is no Citus: start the tests with `pnpm test:citus`');
    const { servers, stop } = await startCitusCluster(place, directory, {
      workers,
      // Two on each worker: what is meant for one of them doesn't reach all that are on its server.
      settings: { ...fastSettings, 'citus.shard_count': '4' },
    });
    project.provide('citusServers', servers);
    project.provide('citusTemplates', await makeTemplates(servers));
    const [coordinator = ''] = servers;
    return { postgresUrl: coordinator, templateDatabase: 'template1', stop };
  });
}
