import { endpoint, ok } from '@atelier/contract';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Failure } from '../kernel/errors.ts';
import { respondWithErrors } from './error-handler.ts';
import { addRouteHeaders } from './route-headers.ts';

const madeUp = (path: '/old' | '/current') =>
  endpoint({
    method: 'GET',
    path,
    summary: 'Made up',
    access: { kind: 'public' },
    success: ok('Found', z.object({})),
    errors: ['not_found'],
    ...(path === '/old' && { deprecated: { since: '2027-01-31', sunset: '2027-12-31' } }),
  });

test('every response of a deprecated operation says so, and no other does', async () => {
  await using app = fastify();
  respondWithErrors(app);
  addRouteHeaders(app);
  for (const path of ['/old', '/current'] as const) {
    app.get(path, { config: { tsRestRoute: madeUp(path) } }, async ({ query }) => {
      if (Object.keys(query as object).length > 0) throw new Failure('not_found');
      return {};
    });
  }
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const [address, status] of [
    ['/old', 200],
    ['/old?missing', 404],
  ] as const) {
    const { headers, status: given } = await fetch(url + address);
    expect(given).toBe(status);
    expect(headers.get('deprecation')).toBe('@1801353600');
    expect(headers.get('sunset')).toBe('Fri, 31 Dec 2027 00:00:00 GMT');
  }
  for (const address of ['/current', '/current?missing', '/nowhere']) {
    const { headers } = await fetch(url + address);
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
  }
});
