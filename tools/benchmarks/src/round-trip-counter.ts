import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between a process and its database. */
export interface RoundTripCounter {
  /** The URL of the database through the proxy. */
  readonly databaseUrl: string;
  /** The number of round trips over all connections. */
  count(): number;
  stop(): Promise<void>;
}

/** Counts round trips to the database. A pipeline of statements counts once. */
export async function countRoundTrips(databaseUrl: string): Promise<RoundTripCounter> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: database.hostname, port: Number(database.port) });
    let hasResponse = true;
    client.on('data', (chunk) => {
      if (hasResponse) roundTrips += 1;
      hasResponse = false;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      hasResponse = true;
      client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const counted = new URL(database);
  counted.hostname = '127.0.0.1';
  // A server that listens on a port has such an address.
  counted.port = String((server.address() as AddressInfo).port);
  return {
    databaseUrl: counted.href,
    count: () => roundTrips,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
