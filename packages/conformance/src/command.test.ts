import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from './command.ts';
import { startEmbedded } from './testing/embedded.ts';
import { errorInstead, refusing } from './testing/faults.ts';
import { startFaultyProxy } from './testing/faulty-proxy.ts';

const directory = mkdtempSync(join(tmpdir(), 'conformance-command-'));
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  embedded = await startEmbedded();
});
afterAll(async () => {
  await embedded.close();
  rmSync(directory, { recursive: true });
});

async function command(...args: string[]) {
  const written = { out: '', error: '' };
  const code = await runCommand(
    args,
    {},
    {
      out: (text) => (written.out += `${text}\n`),
      error: (text) => (written.error += `${text}\n`),
    },
  );
  return { code, ...written };
}

const here = () => ['--base-url', embedded.url, '--mail-api', embedded.mailUrl];
const fewChecks = ['--checks', 'resource.unknown-id:projects.get,session.logout'];

test('exits with 0 where the checks that were asked for hold, and says how many', async () => {
  const { code, out, error } = await command(...here(), ...fewChecks, '--seed', '7');
  expect([code, error]).toEqual([0, '']);
  expect(out).toContain('seed 7');
  expect(out).toContain('3 passed, 0 failed, 0 not run');
});

test('exits with 1 at a finding, and every report names check, rule, request and expectation', async () => {
  const fault = refusing('projects.get', (answer) => errorInstead(answer, 'permission_denied'));
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

test('a whole group has a gate, and its gaps are named', async () => {
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

describe('exits with 2', () => {
  const base = ['--base-url', 'http://127.0.0.1:9'];
  const wrong: [string, string[], RegExp][] = [
    ['no address', [], /--base-url is missing/],
    ['no mails', base, /needs --mail-api .* use --profile read-only/],
    [
      'an address that is none',
      ['--base-url', 'localhost', '--mail-api', 'http://x'],
      /--base-url takes an address/,
    ],
    ['an unknown option', ['--fast'], /Unknown option '--fast'/],
    ['a stray word', ['http://127.0.0.1:9'], /Unexpected argument/],
    [
      'an unknown group',
      [...base, '--only', 'auth,nothing'],
      /no group nothing; there are health, auth/,
    ],
    ['checks that there are not', [...base, '--checks', 'nothing'], /no check matches/],
    [
      'an unknown report',
      [...base, '--mail-api', 'http://x', '--reporter', 'html'],
      /--reporter takes pretty or junit/,
    ],
    [
      'mixed reports',
      [...base, '--mail-api', 'http://x', '--reporter', 'json,pretty'],
      /json=report.json/,
    ],
    ['a seed that is no number', [...base, '--seed', 'x'], /--seed takes a whole number/],
    ['an unknown profile', [...base, '--profile', 'quick'], /--profile takes full or read-only/],
    [
      'no account to read with',
      [...base, '--profile', 'read-only'],
      /needs --email and --password/,
    ],
    [
      'an account for the full profile',
      [...base, '--mail-api', 'http://x', '--email', 'a@b.c'],
      /belong to --profile read-only/,
    ],
  ];
  test.for(wrong)('at %s', async ([, args, message]) => {
    const { code, out, error } = await command(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(message);
    expect(error).not.toContain('    at ');
  });

  test('where nothing answers, or no mails are', async () => {
    const silent = await command(
      '--base-url',
      await closedAddress(),
      '--mail-api',
      embedded.mailUrl,
    );
    expect(silent.code).toBe(2);
    expect(silent.error).toMatch(/does not answer GET \/health: .*ECONNREFUSED/);
    const mailless = await command('--base-url', embedded.url, '--mail-api', embedded.url);
    expect(mailless.code).toBe(2);
    expect(mailless.error).toMatch(/\/email is no list of mails/);
  });

  test('where a report can not be written', async () => {
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

test('tells what it can do, and what it checks', async () => {
  const help = await command('--help');
  expect([help.code, help.error]).toEqual([0, '']);
  expect(help.out).toContain('Exit codes: 0 it conforms, 1 it does not, 2 wrong usage');
  const list = await command('--list', '--only', 'upload');
  expect(list.code).toBe(0);
  expect(list.out).toContain('upload.three-steps\n');
  expect(list.out).not.toContain('tasks.');
  expect((await command('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
