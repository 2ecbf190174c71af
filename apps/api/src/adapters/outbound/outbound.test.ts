import http, {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { LookupAllOptions } from 'node:dns';
import type dns from 'node:dns/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import type { OutboundRequest } from '../../ports/outbound-http.ts';
import { startDnsServer } from '../../testing/dns-server.ts';
import { testEnvironment } from '../../testing/api.ts';
import { inTime } from '../../testing/in-time.ts';
import { systemClock } from '../system-clock.ts';
import { createResolver, type ResolveName } from './names.ts';
import { createOutboundHttp } from './outbound.ts';

/** A name whose servers never respond, and how often it was looked up. */
const silentName = 'silent.invalid';
const silentLookUps = vi.hoisted(() => ({ count: 0 }));
vi.mock('node:dns/promises', async (original) => {
  const actual = await original<typeof dns>();
  const lookup = (host: string, options: LookupAllOptions) => {
    if (host !== silentName) return actual.lookup(host, options);
    silentLookUps.count += 1;
    return new Promise(() => {});
  };
  return { ...actual, lookup };
});

/** Stands for a public address: the tests leave this machine alone. */
const outside = '127.0.0.2';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

function outboundWith(
  overrides: Record<string, string> = {},
  resolve: ResolveName = createResolver(['127.0.0.1:9']),
) {
  const variables = { OUTBOUND_ALLOWED_NETWORKS: outside, ...overrides };
  const config = readConfig({ ...testEnvironment('postgres://db.invalid/atelier'), ...variables });
  return createOutboundHttp(config, { clock: systemClock, resolve });
}

const post = (url: string, terms: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
  timeoutMs: 2_000,
  maxResponseBytes: 1_024,
  ...terms,
});

/** A server that counts its connections. */
async function listen(host: string, onConnection: (socket: Socket) => void, port = 0) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

async function serve(handle: RequestListener, host = outside) {
  const server: Server = createHttpServer(handle);
  server.listen(0, host);
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Serves outside, and listens on the same port within: one that is free there may be taken here. */
async function serveBothWays(handle: RequestListener) {
  for (;;) {
    const port = Number(new URL(await serve(handle)).port);
    const within = await listen('127.0.0.1', () => {}, port).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null;
      throw error;
    });
    if (within) return { port, within };
  }
}

describe('an address', () => {
  test('that is not public is refused, however it is written, and sees no connection', async () => {
    const [four, six] = [await listen('127.0.0.1', () => {}), await listen('::1', () => {})];
    const outbound = outboundWith();
    for (const protocol of ['https', 'http']) {
      for (const host of [
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '127.1',
        '017700000001',
        '１２７.0.0.1',
        '0.0.0.0',
        '[::]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::127.0.0.1]',
        '[64:ff9b::7f00:1]',
        'localhost',
        'LOCALHOST.',
        'a.localhost',
      ]) {
        const sent = await outbound.send(post(`${protocol}://${host}:${four.port}/`));
        expect([host, sent]).toEqual([host, { error: 'address_refused' }]);
      }
      const sent = await outbound.send(post(`${protocol}://[::1]:${six.port}/`));
      expect(sent).toEqual({ error: 'address_refused' });
    }
    expect([four.connections(), six.connections()]).toEqual([0, 0]);
  });

  test.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2002:a00:1::]',
    '[2001::1]',
    '[::a9fe:a9fe]',
    '[4000::1]',
    '[100::1]',
  ])('%s is refused', async (host) => {
    const outbound = outboundWith();
    expect(outbound.mayRequest(`https://${host}/`)).toBe(false);
    expect(await outbound.send(post(`https://${host}/`))).toEqual({ error: 'address_refused' });
  });

  test('that is public, or in a named network, is taken', () => {
    const outbound = outboundWith({ OUTBOUND_ALLOWED_NETWORKS: '10.1.0.0/16,fd00::/8' });
    for (const host of [
      'example.com',
      '8.8.8.8',
      '[2606:4700::1111]',
      '[64:ff9b::808:808]',
      '10.1.2.3',
      '[::ffff:10.1.2.3]',
      '[fd00::1]',
    ]) {
      expect([host, outbound.mayRequest(`https://${host}/hooks?a=b`)]).toEqual([host, true]);
    }
    expect(outbound.mayRequest('https://10.2.0.1/')).toBe(false);
  });

  test('has a form without surprises', () => {
    const outbound = outboundWith({ OUTBOUND_ALLOW_HTTP: 'false' });
    for (const url of [
      'http://example.com/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'https://user:secret@example.com/',
      'https://user@example.com/',
      'https://example.com/#part',
      'https://example.com:22/',
      'https://example.com:25/',
      'https://example.com:80/',
      'https://example.com:0/',
      'https://[fe80::1%25eth0]/',
      'example.com',
      '',
    ]) {
      expect([url, outbound.mayRequest(url)]).toEqual([url, false]);
    }
    for (const port of ['', ':443', ':8443', ':1024', ':65535']) {
      expect([port, outbound.mayRequest(`https://example.com${port}/`)]).toEqual([port, true]);
    }
  });

  test("of the service's own database, storage or mail server is refused", async () => {
    const listener = await listen(outside, (socket) => socket.end());
    const url = `http://${outside}:${listener.port}/`;
    const variables = {
      DATABASE_URL: `postgres://${outside}:${listener.port}/atelier`,
      S3_ENDPOINT: `http://${outside}:${listener.port}`,
      SMTP_URL: `smtp://${outside}:${listener.port}`,
      REDIS_URL: `redis://${outside}:${listener.port}`,
    };
    for (const [name, value] of Object.entries(variables)) {
      const outbound = outboundWith({ [name]: value });
      expect([name, await outbound.send(post(url))]).toEqual([name, { error: 'address_refused' }]);
    }
    expect(listener.connections()).toBe(0);
    expect(await outboundWith().send(post(url))).toEqual({ error: 'connection_reset' });
  });
});

describe('a name', () => {
  test('is refused if one of its addresses is not public', async () => {
    const [within, without] = [
      await listen('127.0.0.1', () => {}),
      await listen(outside, () => {}),
    ];
    const dns = await startDnsServer((name) =>
      name.startsWith('both') ? [outside, '127.0.0.1'] : ['10.0.0.1'],
    );
    closing.push(() => dns.stop());
    const outbound = outboundWith({}, createResolver([dns.address]));
    for (const port of [within.port, without.port]) {
      for (const name of ['both.example', 'private.example']) {
        const sent = await outbound.send(post(`http://${name}:${port}/`));
        expect([name, sent]).toEqual([name, { error: 'address_refused' }]);
      }
    }
    expect([within.connections(), without.connections()]).toEqual([0, 0]);
  });

  test('is resolved once for a connection, so a second answer wins nothing', async () => {
    const { port, within } = await serveBothWays((_, response) => response.end('ok'));
    let asked = 0;
    const dns = await startDnsServer(() => ((asked += 1) <= 2 ? [outside] : ['127.0.0.1']));
    closing.push(() => dns.stop());
    const outbound = outboundWith({}, createResolver([dns.address]));
    const sent = await outbound.send(post(`http://rebinding.example:${port}/`));
    expect(sent).toMatchObject({ status: 200 });
    expect(dns.questions).toEqual(['rebinding.example']);
    expect(await outbound.send(post(`http://rebinding.example:${port}/`))).toEqual({
      error: 'address_refused',
    });
    expect(within.connections()).toBe(0);
  });

  test('that does not exist, or whose servers are silent, is told apart', async () => {
    const dns = await startDnsServer(() => null);
    closing.push(() => dns.stop());
    const unknown = outboundWith({}, createResolver([dns.address]));
    expect(await unknown.send(post('https://nowhere.example/'))).toEqual({ error: 'dns' });
    const silent = outboundWith({}, () => new Promise(() => {}));
    const sent = await silent.send(post('https://silent.example/', { timeoutMs: 50 }));
    expect(sent).toEqual({ error: 'timeout' });
  });
});

describe('a response', () => {
  test('comes with status, headers and body', async () => {
    const url = await serve((request, response) => {
      response.setHeader('retry-after', '7').writeHead(429);
      request.pipe(response);
    });
    expect(await outboundWith().send(post(`${url}/a?b`, { body: Buffer.from('hello') }))).toEqual({
      status: 429,
      headers: expect.objectContaining({ 'retry-after': '7' }),
      body: Buffer.from('hello'),
    });
  });

  test('that redirects leads nowhere', async () => {
    const within = await listen('127.0.0.1', () => {});
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.writeHead(307, { location: `http://127.0.0.1:${within.port}/` }).end();
    });
    expect(await outboundWith().send(post(url))).toMatchObject({ status: 307 });
    expect([requests, within.connections()]).toEqual([1, 0]);
  });

  test('has an end', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(100)), 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(await outboundWith().send(post(url))).toEqual({ error: 'response_too_large' });
  });

  test('takes no longer than allowed: silent, slow headers, slow body, endless headers', async () => {
    const drip = (text: string) => (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(text), 20);
      socket.on('close', () => clearInterval(timer));
    };
    const silent = await listen(outside, () => {});
    const slowHead = await listen(outside, drip('x'));
    const manyHeads = await listen(outside, drip('x-a: b\r\n'));
    const slowBody = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const urls = [silent, slowHead, manyHeads].map(({ port }) => `http://${outside}:${port}`);
    const sending = [...urls, slowBody].map((url) =>
      outboundWith().send(post(url, { timeoutMs: 300 })),
    );
    const sent = await inTime(1_500, Promise.all(sending));
    expect(sent).toEqual(sent.map(() => ({ error: 'timeout' })));
  });

  test('takes no longer while the names of own services are looked up, which is done once for all', async () => {
    const resolve: ResolveName = async () => [outside];
    const { send } = outboundWith({ SMTP_URL: `smtp://${silentName}` }, resolve);
    silentLookUps.count = 0;
    const urls = [`http://${outside}:9999`, `http://${outside}:9999`, 'http://a.example:9999'];
    const sending = urls.map((url) => send(post(url, { timeoutMs: 300 })));
    const sent = await inTime(1_500, Promise.all(sending));
    expect(sent).toEqual(sent.map(() => ({ error: 'timeout' })));
    expect(silentLookUps.count).toBe(1);
  });

  test('that breaks off, or is none, is told by a word', async () => {
    const closed = await listen(outside, (socket) => socket.end());
    const noise = await listen(outside, (socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    const upgraded = await listen(outside, (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    const partial = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x');
      setTimeout(() => response.destroy(), 20);
    });
    const outbound = outboundWith();
    for (const { port } of [closed, noise, upgraded]) {
      const sent = await outbound.send(post(`http://${outside}:${port}`));
      expect(sent).toEqual({ error: 'connection_reset' });
    }
    expect(await outbound.send(post(partial))).toEqual({ error: 'connection_reset' });
    const { port } = await listen(outside, () => {});
    await Promise.all(closing.splice(0).map((close) => close()));
    expect(await outbound.send(post(`http://${outside}:${port}`))).toEqual({
      error: 'connection_refused',
    });
  });

  test('of a server without a certificate is none', async () => {
    const plain = await listen(outside, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await outboundWith().send(post(`https://${outside}:${plain.port}`))).toEqual({
      error: 'tls',
    });
  });
});

test('the agent of the process, which may follow proxy variables, is not used', async () => {
  const proxy = await listen('127.0.0.1', (socket) => socket.end());
  const url = await serve((_, response) => response.end());
  const { globalAgent } = http;
  http.globalAgent = new http.Agent({
    proxyEnv: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
  });
  try {
    expect(await outboundWith().send(post(url))).toMatchObject({ status: 200 });
    await new Promise((resolve) => http.get(url, resolve).on('error', resolve));
    expect(proxy.connections()).toBe(1);
  } finally {
    http.globalAgent = globalAgent;
  }
});
