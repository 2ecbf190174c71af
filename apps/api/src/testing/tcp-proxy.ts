import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a service that a test can cut, stall, or watch. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and refuses new ones until {@link restore}. */
  cut(): void;
  /** Takes everything and passes nothing on until {@link restore}. */
  stall(): void;
  restore(): void;
  close(): Promise<void>;
}

/**
 * Passes bytes on to a port on loopback.
 *
 * @param onAnswer - sees the latest request bytes when an answer to them arrives; true swallows the answer
 */
export async function startTcpProxy(
  targetPort: number,
  onAnswer: (request: string) => boolean = () => false,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: 'open' | 'cut' | 'stalled' = 'open';

  const server = createServer((client) => {
    if (mode === 'cut') {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    let latestRequest = '';
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.on('data', (chunk) => {
      latestRequest = chunk.toString('latin1');
      if (mode === 'open') target.write(chunk);
    });
    target.on('data', (chunk) => {
      if (mode === 'open' && !onAnswer(latestRequest)) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const destroyAll = () => sockets.forEach((socket) => socket.destroy());

  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      mode = 'cut';
      destroyAll();
    },
    stall() {
      mode = 'stalled';
    },
    restore() {
      if (mode === 'stalled') destroyAll();
      mode = 'open';
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
