import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Database } from '../db/executor.ts';
import type { Clock } from '../ports/clock.ts';
import { wideNetworkOf } from './caller-address.ts';
import { storeKeyUses, type ApiKeyUse } from './queries/api-key-uses.ts';

/** Interval of the writes, in milliseconds. */
const writtenEveryMs = 60_000;

/** Networks of a key that are kept until the next write. */
const maxNetworks = 20;

/** When and from where each API key was last used in this process. */
export interface ApiKeyUses {
  note(apiKeyId: string, ipAddress: string): void;
  /** Writes what is new. Never throws: what could not be written is written with the next uses. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

/** Uses are kept in memory and written together, so that no request waits for them. */
export function createApiKeyUses({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
}): ApiKeyUses {
  let uses = new Map<string, ApiKeyUse>();
  let timer: NodeJS.Timeout | null = null;

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    try {
      await storeKeyUses(db, [...written.values()]);
    } catch (err) {
      log.warn({ err }, 'the last uses of API keys could not be written yet');
      for (const use of written.values()) uses.set(use.id, merged(use, uses.get(use.id)));
    }
  }

  return {
    note(apiKeyId, ipAddress) {
      const before = uses.get(apiKeyId);
      const networks =
        before?.ip === ipAddress
          ? before.networks
          : networksWith(before?.networks ?? [], ipAddress);
      uses.set(apiKeyId, { id: apiKeyId, at: clock.now(), ip: ipAddress, networks });
      timer ??= setInterval(() => void write(), writtenEveryMs).unref();
    },
    write,
    async stop() {
      if (timer) clearInterval(timer);
      await write();
    },
  };
}

/** Notes the use of the API key of a request that has one. */
export function noteKeyUse({ server, identity, ip }: FastifyRequest): void {
  const credential = identity?.credential;
  if (credential?.kind === 'key') server.apiKeyUses.note(credential.id, ip);
}

/** @param later - of the same key; undefined if it wasn't used again */
function merged(use: ApiKeyUse, later: ApiKeyUse | undefined): ApiKeyUse {
  if (!later) return use;
  const networks = [...new Set([...use.networks, ...later.networks])].slice(0, maxNetworks);
  return { ...later, networks };
}

function networksWith(networks: readonly string[], ipAddress: string): readonly string[] {
  const network = wideNetworkOf(ipAddress);
  const isKnown = network === null || networks.includes(network);
  return isKnown || networks.length === maxNetworks ? networks : [...networks, network];
}
