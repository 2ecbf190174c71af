import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const triesBeforeGivingUp = 100;
const startTries = 10;
const lowestOurs = 20_000;
const lowestLent = 32_768;

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      // A machine without IPv6 has nobody listening there.
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'),
    );
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Whether nobody listens on the port, neither on 127.0.0.1 nor on ::1: `localhost` means both, so a
 * stranger on ::1 would receive what is meant for us.
 */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

/**
 * Ports in a row that nobody listens on; somebody else may take one before it is used.
 *
 * They lie below those that systems lend to outgoing connections and to servers that ask for any
 * port, from 32768 on Linux and from 49152 elsewhere (RFC 6335): a port that is free now would be
 * lent to a stranger before it is used, or while its server restarts.
 *
 * @throws Error when a hundred places picked at random have a port that is taken
 */
export async function freePorts(count: number): Promise<number[]> {
  for (let tries = 1; tries <= triesBeforeGivingUp; tries += 1) {
    const first = randomInt(lowestOurs, lowestLent - count + 1);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const areFree = await Promise.all(ports.map(isPortFree));
    if (!areFree.includes(false)) return ports;
  }
  throw new Error(`Found no ${count} free ports in a row from ${lowestOurs} to ${lowestLent - 1}.`);
}

/**
 * The wanted port, or the next one above it that is free and not chosen already.
 *
 * @throws Error when a hundred ports in a row are taken
 */
async function nextFreePort(wanted: number, chosen: readonly number[]): Promise<number> {
  const last = Math.min(wanted + triesBeforeGivingUp, 65_535);
  for (let port = wanted; port <= last; port += 1) {
    if (!chosen.includes(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No port between ${wanted} and ${last} is free; stop what holds them.`);
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/**
 * Starts a service on its wanted ports, or for each that is taken the next free one above it; looks
 * again when somebody else snatches a port between the look and the start.
 */
export async function startOnFreePorts<Service>(
  wanted: readonly number[],
  start: (ports: number[]) => Promise<Service>,
): Promise<Service> {
  for (let tries = 1; ; tries += 1) {
    const ports: number[] = [];
    for (const port of wanted) ports.push(await nextFreePort(port, ports));
    try {
      return await start(ports);
    } catch (error) {
      if (!isAddressInUse(error) || tries >= startTries) throw error;
    }
  }
}
