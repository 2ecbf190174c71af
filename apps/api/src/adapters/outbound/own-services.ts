import { lookup } from 'node:dns/promises';
import type { Config } from '../../config.ts';
import type { Clock } from '../../ports/clock.ts';
import { canonical, type Networks } from './networks.ts';

/** Where this service's database, storage, mail server and counters are. What people enter must not lead there. */
export interface OwnServices {
  /** Whether one of them is at the address or, within a network that the operator allows, at that port of it. */
  include(address: string, port: number): Promise<boolean>;
}

const defaultPorts: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'http:': 80,
  'https:': 443,
  'smtp:': 587,
  'smtps:': 465,
  'redis:': 6379,
  'rediss:': 6379,
};

/** After which their names are resolved again, in milliseconds. */
const rememberedMs = 60_000;

interface Place {
  readonly host: string;
  readonly port: number;
}

export function ownServicesOf(
  config: Config,
  { clock, networks }: { clock: Clock; networks: Networks },
): OwnServices {
  const places = placesOf(config);
  let known = new Set<string>();
  let ports = new Set<string>();
  let readAt: number | null = null;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const now = clock.now().getTime();
    if (readAt !== null && Math.abs(now - readAt) < rememberedMs) return;
    // All that wait share the look-ups: each takes a thread for as long as its servers are silent.
    await (reading ??= readAll(now).finally(() => (reading = null)));
  }

  async function readAll(now: number): Promise<void> {
    const found = await Promise.all(places.map((place) => addressesOf(place)));
    // A name that doesn't resolve now keeps its last addresses.
    const isComplete = found.every((each) => each.length > 0);
    const all = found.flat();
    const addresses = all.map(({ address }) => address);
    const withPorts = all.map(({ address, port }) => `${address} ${port}`);
    known = new Set(isComplete ? addresses : [...known, ...addresses]);
    ports = new Set(isComplete ? withPorts : [...ports, ...withPorts]);
    readAt = now;
  }

  return {
    async include(text, port) {
      await read();
      const address = canonical(text);
      return networks.isNamed(text) ? ports.has(`${address} ${port}`) : known.has(address);
    },
  };
}

function placesOf(config: Config): Place[] {
  const urls = [
    config.DATABASE_URL,
    config.DATABASE_DIRECT_URL,
    config.DATABASE_MIGRATION_URL,
    config.DATABASE_REPLICA_URL,
    config.S3_ENDPOINT,
    config.SMTP_URL,
    config.REDIS_URL,
  ];
  return urls.flatMap((value) => {
    if (value === undefined) return [];
    const { protocol, hostname, port } = new URL(value);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    // A socket of this machine has no host.
    if (host === '') return [];
    return [{ host, port: port === '' ? (defaultPorts[protocol] ?? 0) : Number(port) }];
  });
}

/** As the drivers do, with the names of this machine: the operator chose them. */
async function addressesOf({ host, port }: Place) {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => ({ address: canonical(address), port }));
}
