import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a service that a test can cut, stall, or observe. */
export interface TcpProxy {
  readonly port: number;
  /** Closes every connection and refuses new ones until {@link restore}. */
  cut(): void;
  /** Accepts everything and forwards nothing until {@link restore}. */
  stall(): void;
  /** Forwards nothing of the connections that are open now, and never closes them. New ones work. */
  silence(): void;
  restore(): void;
  /** Forwards new connections to another port on loopback; open ones stay where they are. */
  redirect(port: number): void;
  close(): Promise<void>;
}

/** The fate of bytes in transit: forwarded, dropped, dropped with their connection, or replaced by these bytes. */
export type Fate = 'pass' | 'swallow' | 'reset' | { readonly response: string };

/** Sees what passes. Its connections are the same objects for as long as they are open. */
interface Watcher {
  /** Sees the bytes of a request on their way to the target. */
  onRequest?(request: string, connection: object): Fate;
  /** Sees the latest bytes of a request when a response to them arrives, which waits for the fate. */
  onResponse?(request: string, connection: object): Fate | Promise<Fate>;
}

/**
 * Starts a proxy to the server of an address on loopback.
 *
 * @returns the proxy, and the address that leads through it
 */
export async function startProxyTo(
  address: string,
  watcher: Watcher = {},
): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(address);
  const proxy = await startTcpProxy(Number(url.port), watcher);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

/** Forwards bytes to a port on loopback. */
export async function startTcpProxy(targetPort: number, watcher: Watcher = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let mode: 'open' | 'cut' | 'stalled' = 'open';
  let port = targetPort;

  const server = createServer((client) => {
    if (mode === 'cut') {
      client.destroy();
      return;
    }
    const target = connect(port, '127.0.0.1');
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
    const decide = (fate: Fate, pass: () => void) => {
      if (mode !== 'open' || silenced.has(client) || fate === 'swallow') return;
      if (fate === 'pass') pass();
      else if (fate === 'reset') client.destroy();
      else client.write(fate.response);
    };
    client.on('data', (chunk) => {
      latestRequest = chunk.toString('latin1');
      decide(watcher.onRequest?.(latestRequest, client) ?? 'pass', () => target.write(chunk));
    });
    let written = Promise.resolve();
    target.on('data', (chunk) => {
      const fate = watcher.onResponse?.(latestRequest, client) ?? 'pass';
      written = written.then(async () => decide(await fate, () => client.write(chunk)));
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
    silence() {
      for (const socket of sockets) silenced.add(socket);
    },
    restore() {
      if (mode === 'stalled') destroyAll();
      mode = 'open';
    },
    redirect(other) {
      port = other;
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
