import { randomBytes, randomUUID } from 'node:crypto';
import { logIn, newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';
import { requestTo, send, Unreachable, type RequestOptions } from '../deployment.ts';
import { Abandoned, NotRun } from '../findings.ts';
import { startLosingProxy } from '../losing-proxy.ts';
import type { Probe } from '../probe.ts';

const rule = 'session.lost-response';

/** Refreshes through a proxy that loses the response. @throws Abandoned when the service refuses */
async function loseResponse(probe: Probe, options: RequestOptions): Promise<void> {
  const proxy = await startLosingProxy(probe.deployment.baseUrl);
  const request = requestTo('auth.refresh', options);
  const isLost = await send({ ...probe.deployment, baseUrl: proxy.url }, request)
    .then(
      () => false,
      (error: unknown) => error instanceof Unreachable,
    )
    .finally(() => proxy.close());
  if (!isLost) throw new Abandoned('the proxy has lost no response');
  const [status] = proxy.lost;
  if (status === 429) throw new NotRun('a rate limit refuses the refresh whose response is lost');
  // The probe skips a missing operation if it may be missing.
  if (status === 501) await probe.request('auth.refresh', options);
  if (status !== 200) {
    throw new Abandoned(`the refresh responded with ${status ?? 'nothing'}`);
  }
}

function refreshOf(refreshToken: string, key?: string): RequestOptions {
  return {
    body: { refreshToken },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  };
}

const newKey = () => randomBytes(16).toString('base64url');

async function expectAllEnded(probe: Probe, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    probe.expectRefusal(rule, await probe.request('auth.user', { token }), 'unauthenticated');
  }
}

const repetition: Check = {
  id: rule,
  group: 'auth',
  title: 'a refresh whose response was lost gets its tokens under its key, until they are used',
  run: async ({ probe }) => {
    const account = await newAccount(probe, 'lost');
    const elsewhere = await logIn(probe, account);
    const refresh = refreshOf(account.refreshToken, newKey());
    await loseResponse(probe, refresh);

    const repeated = await Promise.all([1, 2, 3].map(() => probe.request('auth.refresh', refresh)));
    for (const response of repeated) {
      probe.require({
        rule,
        response,
        holds: response.status === 200 && response.text === repeated[0]?.text,
        expected: '200 with the same tokens each time',
      });
    }
    const [first] = repeated;
    if (!first) return;
    const { token, refreshToken } = probe.dataIn('auth.refresh', first);
    for (const alive of [token, elsewhere.token])
      await probe.succeed('auth.user', { token: alive });

    const next = await probe.succeed('auth.refresh', refreshOf(refreshToken, newKey()));
    const late = await probe.request('auth.refresh', refresh);
    probe.expectRefusal(rule, late, 'access_denied');
    await expectAllEnded(probe, [next.token, elsewhere.token]);
  },
};

const replay: Check = {
  id: 'session.lost-response-replay',
  group: 'auth',
  title: 'a used refresh token ends every session without its key, or under another one',
  run: async ({ probe }) => {
    for (const otherKey of [undefined, newKey()]) {
      const account = await newAccount(probe, 'lost');
      const elsewhere = await logIn(probe, account);
      const key = newKey();
      await loseResponse(probe, refreshOf(account.refreshToken, key));
      for (const presented of [otherKey, key]) {
        const refresh = refreshOf(account.refreshToken, presented);
        const response = await probe.request('auth.refresh', refresh);
        probe.expectRefusal(rule, response, 'access_denied');
      }
      await expectAllEnded(probe, [elsewhere.token]);
    }
  },
};

const weakKeys: Check = {
  id: 'session.weak-key',
  group: 'auth',
  title: 'a refresh rejects a key with fewer than 128 random bits, and uses nothing up',
  run: async ({ probe }) => {
    const { refreshToken } = await newAccount(probe, 'weak');
    for (const key of ['once', 'a'.repeat(31), 'k'.repeat(21), randomUUID()]) {
      const response = await probe.request('auth.refresh', refreshOf(refreshToken, key));
      probe.expectRefusal('session.weak-key', response, 'validation_failed');
    }
    await probe.succeed('auth.refresh', refreshOf(refreshToken, newKey()));
  },
};

export const lostResponseScenarios: readonly Check[] = [repetition, replay, weakKeys];
