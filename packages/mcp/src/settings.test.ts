import { describe, expect, test } from 'vitest';
import { settingsOf, UsageError } from './settings.ts';

const key = `atl_pat_${'a'.repeat(46)}`;
const addressOf = (url: string, options = {}) =>
  settingsOf(options, { ATELIER_URL: url, ATELIER_KEY: key }).address.href;

test('the address is that of the service, with what narrows the tools', () => {
  expect(addressOf('https://api.example.com')).toBe('https://api.example.com/mcp');
  expect(addressOf('https://example.com/atelier//')).toBe('https://example.com/atelier/mcp');
  expect(addressOf('http://localhost:3000/', { readOnly: true })).toBe(
    'http://localhost:3000/mcp?mode=read-only',
  );
  expect(addressOf('https://api.example.com', { toolsets: 'work,library' })).toBe(
    'https://api.example.com/mcp?toolsets=work%2Clibrary',
  );
});

describe('refused', () => {
  test.each([
    ['a word', 'example'],
    ['another protocol', 'ftp://example.com'],
    // Left out silently, it would offer more tools than wanted.
    ['a query', 'https://example.com?mode=read-only'],
    ['a fragment', 'https://example.com#work'],
    ['a password', 'https://ada:secret@example.com'],
  ])('an address that is or has %s', (_, url) => {
    expect(() => addressOf(url)).toThrow(UsageError);
    expect(() => addressOf(url)).toThrow(/^ATELIER_URL is no address such as \S+$/);
  });

  test.each([
    ['ATELIER_URL', { ATELIER_URL: '', ATELIER_KEY: key }],
    ['ATELIER_KEY', { ATELIER_URL: 'https://example.com', ATELIER_KEY: '' }],
    ['ATELIER_URL', { ATELIER_KEY: key }],
    ['ATELIER_KEY', { ATELIER_URL: 'https://example.com' }],
  ])('no %s', (name, environment) => {
    expect(() => settingsOf({}, environment)).toThrow(new RegExp(`\\bSet ${name}\\b`));
  });

  test.each([`${key}\n`, `Bearer ${key}`, 'eyJhbGciOiJIUzI1NiJ9.e30.x', 'atl_', 'atl_ü'])(
    'a key that is none, without printing it: %j',
    (wrong) => {
      const environment = { ATELIER_URL: 'https://example.com', ATELIER_KEY: wrong };
      expect(() => settingsOf({}, environment)).toThrow(
        new UsageError('ATELIER_KEY is no API key: expected one that starts with atl_.'),
      );
    },
  );
});
