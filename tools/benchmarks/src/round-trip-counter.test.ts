import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { countRoundTrips } from './round-trip-counter.ts';

test('data sent before a response counts as one round trip, and the response arrives unchanged', async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as AddressInfo;
  const counter = await countRoundTrips(`postgres://me:secret@127.0.0.1:${port}/atelier`);
  onTestFinished(async () => {
    await counter.stop();
    echo.close();
  });
  const { hostname, port: counted, pathname, username } = new URL(counter.databaseUrl);
  expect([pathname, username]).toEqual(['/atelier', 'me']);
  const client = connect({ host: hostname, port: Number(counted) });
  for (const text of ['one', 'two', 'three']) {
    client.write(text);
    const [response] = (await once(client, 'data')) as [Buffer];
    expect(response.toString()).toBe(text);
  }
  expect(counter.count()).toBe(3);
});
