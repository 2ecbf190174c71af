import { readFileSync } from 'node:fs';
import { operations } from '@atelier/contract';
import { expect, test } from 'vitest';
import { quotaOf } from '../adapters/rate-limits/quotas.ts';
import { readConfig } from '../config.ts';
import { testEnvironment } from '../testing/api.ts';
import { quotasOf } from './rate-limit.ts';

interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { description?: string }>>>>;
}

const file = new URL('../../../../packages/contract/openapi.json', import.meta.url);
// `pnpm generate` writes it, and `pnpm check` whether it has.
const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
const config = readConfig(testEnvironment('postgres://localhost/unused'));

const secondsOf: Readonly<Record<string, number>> = { minute: 60, hour: 3_600 };

/** Reads the numbers of “10 failures per account and 50 per IP address in 15 minutes”. */
function numbersIn(text: string) {
  const [, counted = '', count, unit = ''] = /^(.*) in (\d+|an?) (minute|hour)s?/.exec(text) ?? [];
  const limits = (counted.match(/\d+|\bone\b/g) ?? []).map((number) => Number(number) || 1);
  return { limits, windowSeconds: (Number(count) || 1) * (secondsOf[unit] ?? 0) };
}

const limited = operations.flatMap(({ id, endpoint: { path, method, metadata } }) => {
  const ofPath = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')];
  const text = ofPath?.[method.toLowerCase()]?.description?.split('**Limit:** ')[1];
  return text === undefined ? [] : [[id, metadata.rateLimit, text] as const];
});

test('operations with limits of their own say so', () => {
  expect(new Set(limited.map(([, limit]) => limit)).size).toBeGreaterThan(10);
});

test.each(limited)('%s (%s): the documented limit is the default', (_id, limit, text) => {
  const { limits, windowSeconds } = numbersIn(text);
  expect(limits).not.toEqual([]);
  const quotas = quotasOf(limit).map((name) => quotaOf(name, config));
  for (const documented of limits) {
    expect(quotas).toContainEqual(expect.objectContaining({ limit: documented, windowSeconds }));
  }
});

test('the limit of all other operations is the default, too', () => {
  const { limit, windowSeconds } = quotaOf('default', config);
  expect(document.info.description).toContain(`**Limits.** ${limit} requests a minute`);
  expect(windowSeconds).toBe(60);
});
