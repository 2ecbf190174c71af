import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { countExchanges } from './exchange-counter.ts';

test('what is sent before an answer counts once, and the answer arrives as it was sent', async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as AddressInfo;
  const counter = await countExchanges(`postgres://me:secret@127.0.0.1:${port}/atelier`);
  onTestFinished(async () => {
    await counter.stop();
    echo.close();
  });
  const { hostname, port: counted, pathname, username } = new URL(counter.databaseUrl);
  expect([pathname, username]).toEqual(['/atelier', 'me']);
  const client = connect({ host: hostname, port: Number(counted) });
  for (const text of ['one', 'two', 'three']) {
    client.write(text);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toBe(text);
  }
  expect(counter.count()).toBe(3);
});
