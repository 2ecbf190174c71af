import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A mail server that always sends another part of its first response. It ends with the test. */
export interface TricklingMailServer {
  readonly url: string;
  /** The connections that wait for the rest. */
  waiting(): number;
}

export async function tricklingMailServer(): Promise<TricklingMailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 trickling\r\n');
    let trickle: NodeJS.Timeout | undefined;
    socket.once('data', () => {
      trickle = setInterval(() => socket.write('250-more\r\n'), 50);
    });
    socket.on('close', () => {
      clearInterval(trickle);
      sockets.delete(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => sockets.size,
  };
}
