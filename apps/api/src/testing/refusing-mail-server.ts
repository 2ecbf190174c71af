import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** Starts a mail server that refuses every recipient and quotes the address. It ends with the test. @returns its URL */
export async function refusingMailServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 refusing\r\n');
    createInterface(socket).on('line', (line) => {
      const recipient = /^RCPT TO:(.+)$/i.exec(line)?.[1];
      socket.write(recipient === undefined ? '250 ok\r\n' : `550 ${recipient} is unknown\r\n`);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
