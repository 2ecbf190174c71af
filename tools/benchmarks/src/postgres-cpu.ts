import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cpuMsOf, endedChildrenCpuMsOf, processFile } from './server-process.ts';

/**
 * Returns a reader of the processor time, in milliseconds, of all processes of a running Postgres, with those of connections
 * that have ended.
 *
 * @param dataDir - a folder with one cluster in it, at any depth
 * @throws Error if there is no running cluster
 */
export function postgresCpu(dataDir: string): () => number {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  const file = files.find((name) => name.endsWith('postmaster.pid'));
  if (file === undefined) throw new Error(`no postmaster.pid in ${dataDir}`);
  const postmaster = Number.parseInt(readFileSync(join(dataDir, file), 'utf8'), 10);
  const parentOf = (id: number) =>
    /^\d+ \(postgres\) \S (\d+)/.exec(processFile(id, 'stat') ?? '')?.[1];
  return () => {
    const ids = readdirSync('/proc').map(Number).filter(Number.isInteger);
    const children = ids.filter((id) => parentOf(id) === String(postmaster));
    const ended = endedChildrenCpuMsOf(postmaster) ?? 0;
    return [postmaster, ...children].reduce((sum, id) => sum + (cpuMsOf(id) ?? 0), ended);
  };
}
