import { apiSources } from './built-api.ts';
import type { Wishes } from './command-line.ts';
import { memoryOf, memoryTable, reportingFlags, type Memory } from './memory.ts';
import { profileTable, profilingFlags } from './profile.ts';
import type { ServerProcess } from './server-process.ts';
import type { World } from './world.ts';

export const inspectedSeconds = 8;

/** A look into servers that have been called for a while, instead of a comparison. */
export interface Inspection {
  readonly api: { readonly entry?: string; readonly nodeFlags: readonly string[] };
  readonly limitFlags: readonly string[];
  /** Those that are called. */
  servers(world: World): ReadonlyMap<string, ServerProcess>;
  /** @returns what was seen, as text */
  look(world: World): Promise<string>;
}

/** @param dir - for what the servers write */
export function inspectionOf(inspected: Wishes['inspected'], dir: string): Inspection | null {
  switch (inspected) {
    case 'time':
      return {
        // What is built has no packages any more, that time could be counted for.
        api: { entry: apiSources, nodeFlags: profilingFlags(dir) },
        limitFlags: [],
        servers: ({ api }) => new Map([['Atelier', api]]),
        async look({ api }) {
          await api.stop();
          return profileTable(dir, inspectedSeconds);
        },
      };
    case 'memory': {
      const flags = reportingFlags(dir);
      const servers = ({ api, contestants }: World) =>
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
        async look(world) {
          const memory = new Map<string, Memory>();
          for (const [name, server] of servers(world)) {
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
