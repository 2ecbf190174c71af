import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { command } from './testing/command.ts';

describe('exits with 2', () => {
  const base = ['--base-url', 'http://127.0.0.1:9'];
  const wrong: [string, string[], RegExp][] = [
    ['no address', [], /--base-url is missing/],
    ['no mail inbox', base, /needs --mail-api .* use --profile read-only/],
    [
      'a malformed address',
      ['--base-url', 'localhost', '--mail-api', 'http://x'],
      /--base-url takes a URL/,
    ],
    ['an unknown option', ['--fast'], /Unknown option '--fast'/],
    ['a stray argument', ['http://127.0.0.1:9'], /Unexpected argument/],
    [
      'an unknown group',
      [...base, '--only', 'auth,nothing'],
      /no group nothing; there are health, auth/,
    ],
    ['unknown checks', [...base, '--checks', 'nothing'], /no check matches/],
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
    ['a seed that is not a number', [...base, '--seed', 'x'], /--seed takes a whole number/],
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
});

test('prints its options, its checks and its version', async () => {
  const help = await command('--help');
  expect([help.code, help.error]).toEqual([0, '']);
  expect(help.out).toContain('Exit codes: 0 it conforms, 1 it does not, 2 wrong usage');
  const list = await command('--list', '--only', 'upload');
  expect(list.code).toBe(0);
  expect(list.out).toContain('upload.three-steps\n');
  expect(list.out).not.toContain('tasks.');
  expect((await command('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('ends quietly if what it prints is no longer read, as if by SIGPIPE', async () => {
  const program = join(import.meta.dirname, 'cli.ts');
  const child = spawn(process.execPath, [program, '--list']);
  const errors = text(child.stderr);
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([141, null]);
  expect(await errors).toBe('');
});
