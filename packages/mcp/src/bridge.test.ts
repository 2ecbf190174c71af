import { Client, InMemoryTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { inputRequired, Server, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bridgeTo } from './bridge.ts';
import { connectToService } from './service.ts';
import { startService } from './testing/service.ts';

interface ServiceCall {
  readonly params: unknown;
  readonly context: ServerContext;
}

type Era = 'auto' | 'legacy';

/** Connects a client through a bridge to a service with one tool. */
async function connected(era: Era, call: (call: ServiceCall) => unknown): Promise<Client> {
  const address = await startService(() => {
    const server = new Server(
      { name: 'service', version: '7.0.0' },
      { capabilities: { tools: {}, resources: {} }, instructions: 'Be brief.' },
    );
    server.setRequestHandler(
      'tools/call',
      ({ params }, context) => call({ params, context }) as CallToolResult,
    );
    return server;
  });
  const service = await connectToService({ address, key: 'atl_pat_x' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(() => bridgeTo({ service, describe: String }), { transport: far });
  const client = new Client(
    { name: 'the client', version: '4.5.6' },
    { versionNegotiation: { mode: era }, capabilities: { elicitation: { url: {}, form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }));
  await client.connect(near);
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return client;
}

const result = { content: [{ type: 'text', text: 'done' }] };

describe.each<Era>(['auto', 'legacy'])('a client (%s)', (era) => {
  test('sees the service, and no more than the bridge forwards', async () => {
    const client = await connected(era, () => result);
    expect(client.getServerVersion()).toEqual({ name: 'service', version: '7.0.0' });
    expect(client.getInstructions()).toBe('Be brief.');
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
  });

  test('is named to the service, with what it can do', async () => {
    const seen: unknown[] = [];
    const client = await connected(era, ({ context }) => {
      seen.push(context.mcpReq.envelope);
      return result;
    });
    await client.callTool({ name: 'any' });
    expect(seen).toEqual([
      {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'the client', version: '4.5.6' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {}, form: {} } },
      },
    ]);
  });

  test('passes on arguments and metadata, and gets results as they are', async () => {
    const seen: unknown[] = [];
    const full = {
      isError: true,
      content: [{ type: 'text', text: 'no', annotations: { priority: 1 } }],
      structuredContent: { deep: [{ a: null }] },
      _meta: { 'example.com/trace': 'x' },
    };
    const client = await connected(era, ({ params, context }) => {
      const { _meta: metadata } = context.mcpReq;
      seen.push(params, metadata);
      return full;
    });
    const given = { name: 'any', arguments: { a: { b: [1, null, 'ü'] } } };
    const got = await client.callTool({ ...given, _meta: { 'example.com/own': 1 } });
    expect(got).toMatchObject(full);
    expect(seen).toMatchObject([given, { 'example.com/own': 1 }]);
  });

  test('responds to what the service asks', async () => {
    const seen: unknown[] = [];
    const client = await connected(era, ({ context: { mcpReq } }) => {
      if (mcpReq.inputResponses !== undefined) {
        seen.push(mcpReq.inputResponses, mcpReq.requestState());
        return result;
      }
      const url = 'https://app.example.com/approvals/1';
      const question = { message: 'Approve it', url, elicitationId: '1' };
      return inputRequired({
        inputRequests: { approval: inputRequired.elicitUrl(question) },
        requestState: 'state',
      });
    });
    expect(await client.callTool({ name: 'any' })).toMatchObject(result);
    expect(seen).toEqual([{ approval: { action: 'accept' } }, 'state']);
  });

  test('can cancel a request', async () => {
    let isCancelled = false;
    const called = Promise.withResolvers<undefined>();
    const client = await connected(era, async ({ context }) => {
      called.resolve(undefined);
      await new Promise<void>((resolve) => {
        context.mcpReq.signal.addEventListener('abort', () => resolve());
      });
      isCancelled = true;
      return result;
    });
    const cancellation = new AbortController();
    const outcome = client.callTool({ name: 'any' }, { signal: cancellation.signal });
    await called.promise;
    cancellation.abort(new Error('enough'));
    await expect(outcome).rejects.toThrow('enough');
    await expect.poll(() => isCancelled).toBe(true);
  });
});
