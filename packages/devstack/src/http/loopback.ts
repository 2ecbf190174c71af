import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';

const loopbackNames = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a Host header is a loopback name. A page on a foreign domain that resolves to 127.0.0.1 (DNS rebinding)
 * sends its own name, so it gets no data.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && loopbackNames.test(host);
}

/**
 * Listens on a loopback port.
 *
 * @param port - 0 = a free port
 * @returns the port
 * @throws the system's error, such as EADDRINUSE
 */
export function listen(server: NetServer, port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Stops listening and closes every connection, busy or idle. */
export function closeHttp(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
