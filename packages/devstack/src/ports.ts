import { createServer } from 'node:net';

const triesBeforeGivingUp = 100;
const startTries = 10;

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

/** A port that the system just called free; somebody else may take it before it is used. */
export function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
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
