import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a process and its database. */
export interface ExchangeCounter {
  /** The database's address, through here. */
  readonly databaseUrl: string;
  /** How often the process has sent something and waited for what came back, over all connections. */
  count(): number;
  stop(): Promise<void>;
}

/** Counts how often the database is asked: what is sent at once, as in a pipeline, counts once. */
export async function countExchanges(databaseUrl: string): Promise<ExchangeCounter> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let exchanges = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: database.hostname, port: Number(database.port) });
    let isAnswered = true;
    client.on('data', (chunk) => {
      if (isAnswered) exchanges += 1;
      isAnswered = false;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      isAnswered = true;
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
  // It listens on a port.
  counted.port = String((server.address() as AddressInfo).port);
  return {
    databaseUrl: counted.href,
    count: () => exchanges,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
