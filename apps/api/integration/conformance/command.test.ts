// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { command } from '../../../../packages/conformance/src/testing/command.ts';
import { Coverage } from '../../../../packages/conformance/src/coverage.ts';
import { gateOf, resultOf } from '../../../../packages/conformance/src/gate.ts';
import { startEmbedded } from './testing/embedded.ts';
import {
  changingErrors,
  errorInstead,
  limiting,
  respondingInstead,
  success,
} from './testing/fault-builders.ts';
import { startFaultyProxy, type Fault } from './testing/faulty-proxy.ts';

const kit = new URL('../../../../packages/conformance/', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'conformance-command-'));
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  embedded = await startEmbedded();
});
afterAll(async () => {
  await embedded.close();
  rmSync(directory, { recursive: true });
});

const here = () => ['--base-url', embedded.url, '--mail-api', embedded.mailUrl];
const fewChecks = ['--checks', 'resource.unknown-id:projects.get,session.logout'];

test('exits with 0 when the selected checks pass, and prints their number', async () => {
  const { code, out, error } = await command(...here(), ...fewChecks, '--seed', '7');
  expect([code, error]).toEqual([0, '']);
  expect(out).toContain('seed 7');
  expect(out).toContain('3 passed, 0 failed, 0 not run');
});

test('exits with 1 for a finding, and every report names check, rule, request and expectation', async () => {
  const fault = changingErrors('projects.get', (response) =>
    errorInstead(response, 'permission_denied'),
  );
  const proxy = await startFaultyProxy({ url: embedded.url, mailUrl: embedded.mailUrl }, fault);
  const file = (name: string) => join(directory, 'deep', name);
  try {
    const reporter = `pretty,github,junit=${file('junit.xml')},json=${file('report.json')}`;
    const { code, out } = await command(
      '--base-url',
      `${proxy.url}/`,
      '--mail-api',
      embedded.mailUrl,
      ...fewChecks,
      '--reporter',
      reporter,
    );
    expect(code).toBe(1);
    const json: unknown = JSON.parse(readFileSync(file('report.json'), 'utf8'));
    const { results } = z
      .object({ results: z.array(z.object({ id: z.string(), outcome: z.string() })) })
      .parse(json);
    expect(results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([
      'resource.unknown-id:projects.get',
    ]);
    for (const text of [out, readFileSync(file('junit.xml'), 'utf8')]) {
      expect(text).toContain('resource.unknown-id:projects.get');
      expect(text).toMatch(/GET \/api\/projects\/0190/);
      expect(text).toContain('404 not_found');
      expect(text).toContain('403');
    }
    expect(out).toContain('FAILED resource.unknown-id:projects.get');
    expect(out).toContain('::error title=resource.unknown-id%3Aprojects.get (resource.unknown-id)');
  } finally {
    await proxy.close();
  }
});

/** Runs one check of projects through a proxy with a fault. */
async function commandWith(fault: Fault, ...args: string[]) {
  const proxy = await startFaultyProxy({ url: embedded.url, mailUrl: embedded.mailUrl }, fault);
  const there = ['--base-url', proxy.url, '--mail-api', embedded.mailUrl];
  try {
    return await command(...there, '--checks', 'resource.unknown-id:projects.get', ...args);
  } finally {
    await proxy.close();
  }
}

describe('a run in which no check ran', () => {
  test.for(['auth.register', 'auth.login'] as const)(
    'exits with 1 when a limit of %s stops the set-up',
    async (id) => {
      const { code, out } = await commandWith(limiting(id));
      expect(out).toContain('FAILED set-up');
      expect(out).toContain('set-up.completes');
      expect(out).toContain('a rate limit asks to wait 3600');
      expect(out).toContain('0 passed, 1 failed, 1 not run');
      expect(code).toBe(1);
    },
  );

  test('exits with 1 when the operation of each check is limited', async () => {
    const { code, out } = await commandWith(limiting('projects.get'));
    expect(out).toContain('FAILED selection');
    expect(out).toContain('a rate limit asks to wait 3600');
    expect(out).toContain('1 passed, 1 failed, 1 not run');
    expect(code).toBe(1);
  });

  test('exits with 0 only if each operation is missing and may be', async () => {
    const missing = respondingInstead('projects.get', () => success({}, 501));
    const allowed = await commandWith(missing, '--allow-missing');
    expect(allowed.out).toContain('1 passed, 0 failed, 1 not run');
    expect(allowed.code).toBe(0);
    const unexpected = await commandWith(missing);
    expect(unexpected.out).toContain('operation.available');
    expect(unexpected.code).toBe(1);
  });

  test('exits with 1 when the set-up needs a missing operation, even if it may be missing', async () => {
    const missing = respondingInstead('projects.create', () => success({}, 501));
    const { code, out } = await commandWith(missing, '--allow-missing');
    expect(out).toContain('FAILED set-up');
    expect(out).toContain('the operation responds with 501');
    expect(code).toBe(1);
  });
});

const sample = /```ts\n([^`]+)```/.exec(readFileSync(new URL('README.md', kit), 'utf8'))?.[1];

test('the sample of the README checks one group, with nothing missing', async () => {
  const code = String(sample)
    .replace('http://localhost:3000', embedded.url)
    .replace('http://localhost:1080', embedded.mailUrl);
  expect(code).toContain("only: ['tasks']");
  expect(code).toContain(embedded.url);
  expect(code).toContain(embedded.mailUrl);
  // It throws unless the report has passed. The package is found by its own name.
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '--eval', code],
    { cwd: kit },
  );
  expect(stderr).toBe('');
});

test('a status that nothing shows is a failed check, in every report', () => {
  const coverage = new Coverage();
  const gate = gateOf({ coverage, options: { only: ['plans'] }, results: [] });
  const result = resultOf(gate);
  expect(result.outcome).toBe('failed');
  expect(result.findings[0]).toMatchObject({
    rule: 'coverage.missing',
    operation: 'plans.list',
    expected: '200, which it declares, at least once',
  });
});

test('checks the coverage of whole groups and names the gaps', async () => {
  const { code, out } = await command(...here(), '--only', 'plans,health', '--reporter', 'json');
  expect(code).toBe(0);
  const Line = z.object({
    operation: z.string(),
    status: z.number(),
    waiver: z.string().nullable(),
  });
  const { coverage } = z
    .object({
      coverage: z.object({ seen: z.array(Line), waived: z.array(Line), missing: z.array(Line) }),
    })
    .parse(JSON.parse(out));
  expect(coverage.missing).toEqual([]);
  expect(coverage.seen).toContainEqual({ operation: 'plans.list', status: 200, waiver: null });
  expect(coverage.waived).toContainEqual({
    operation: 'health.live',
    status: 500,
    waiver: 'needs a defect',
  });
});

/** A port that was free before could be another test's by now; nothing ever listens on this one. */
const closedAddress = 'http://127.0.0.1:2';

describe('exits with 2', () => {
  test('when the service or the mail inbox does not respond', async () => {
    const silent = await command('--base-url', closedAddress, '--mail-api', embedded.mailUrl);
    expect(silent.code).toBe(2);
    expect(silent.error).toMatch(/does not respond to GET \/health: .*ECONNREFUSED/);
    const mailless = await command('--base-url', embedded.url, '--mail-api', embedded.url);
    expect(mailless.code).toBe(2);
    expect(mailless.error).toMatch(/\/email is not a list of mails/);
  });

  test('when a report can not be written', async () => {
    const { code, error } = await command(
      ...here(),
      ...fewChecks,
      '--reporter',
      `json=${directory}`,
    );
    expect(code).toBe(2);
    expect(error).toContain('EISDIR');
  });
});
