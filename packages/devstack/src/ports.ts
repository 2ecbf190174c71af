import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const maxTries = 100;
const startTries = 10;
const firstPort = 20_000;
const firstEphemeralPort = 32_768;

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      // Without IPv6, no process listens there.
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'),
    );
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Whether the port is free on 127.0.0.1 and on ::1: `localhost` resolves to both, so another process on ::1 would
 * receive our requests.
 */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

/**
 * Finds consecutive free ports; another process may take one before it is used.
 *
 * They are below the ephemeral ports, which systems assign to outgoing connections and to servers without a port,
 * from 32768 on Linux and from 49152 elsewhere (RFC 6335): the system could assign a free ephemeral port before
 * it is used, or while its server restarts.
 *
 * @throws Error when a hundred random ranges have a taken port
 */
export async function freePorts(count: number): Promise<number[]> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const first = randomInt(firstPort, firstEphemeralPort - count + 1);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const areFree = await Promise.all(ports.map(isPortFree));
    if (!areFree.includes(false)) return ports;
  }
  throw new Error(
    `Found no ${count} consecutive free ports from ${firstPort} to ${firstEphemeralPort - 1}.`,
  );
}

/**
 * Returns the preferred port, or the next free one that is not chosen yet.
 *
 * @throws Error when a hundred consecutive ports are taken
 */
async function nextFreePort(wanted: number, chosen: readonly number[]): Promise<number> {
  const last = Math.min(wanted + maxTries, 65_535);
  for (let port = wanted; port <= last; port += 1) {
    if (!chosen.includes(port) && (await isPortFree(port))) return port;
  }
  throw new Error(
    `No port between ${wanted} and ${last} is free; stop the programs that use them.`,
  );
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

/**
 * Starts a service on its preferred ports, or on the next free ones; tries again if another process takes a port
 * between the check and the start.
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
