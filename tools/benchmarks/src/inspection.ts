import { apiSources } from './built-api.ts';
import type { Options } from './command-line.ts';
import { memoryOf, memoryTable, reportingFlags, type Memory } from './memory.ts';
import { profileTable, profilingFlags } from './profile.ts';
import type { ServerProcess } from './server-process.ts';
import type { Fixtures } from './fixtures.ts';

export const inspectedSeconds = 8;

/** A look into servers that have been under load, instead of a comparison. */
export interface Inspection {
  readonly api: { readonly entry?: string; readonly nodeFlags: readonly string[] };
  readonly limitFlags: readonly string[];
  /** The servers that get load. */
  servers(fixtures: Fixtures): ReadonlyMap<string, ServerProcess>;
  /** @returns the result as text */
  report(fixtures: Fixtures): Promise<string>;
}

/** @param dir - where the servers write their reports */
export function inspectionOf(inspected: Options['inspected'], dir: string): Inspection | null {
  switch (inspected) {
    case 'time':
      return {
        // A bundle no longer shows which package the time is spent in.
        api: { entry: apiSources, nodeFlags: profilingFlags(dir) },
        limitFlags: [],
        servers: ({ api }) => new Map([['Atelier', api]]),
        async report({ api }) {
          await api.stop();
          return profileTable(dir, inspectedSeconds);
        },
      };
    case 'memory': {
      const flags = reportingFlags(dir);
      const servers = ({ api, contestants }: Fixtures) =>
        new Map([
          ['Atelier', api],
          ...contestants
            .filter(({ work }) => work === 'whole')
            .map(({ name, server }) => [name, server] as const),
        ]);
      return {
        api: { nodeFlags: flags },
        limitFlags: flags,
        servers,
        async report(fixtures) {
          const memory = new Map<string, Memory>();
          for (const [name, server] of servers(fixtures)) {
            memory.set(name, await memoryOf(server, dir));
          }
          return memoryTable(memory);
        },
      };
    }
    case null:
      return null;
  }
}
