import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const valid = {
  DATABASE_URL: 'postgres://localhost/atelier',
  S3_ENDPOINT: 'http://localhost:9000',
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 'secret',
  SMTP_URL: 'smtp://localhost',
  JWT_SECRET: 'x'.repeat(32),
  TOKEN_ENVELOPE_KEY: 'aB'.repeat(32),
};

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  test('requires seven variables, and has a default for every other', () => {
    expect(readConfig(valid)).toMatchObject({
      HOST: '0.0.0.0',
      PORT: 3000,
      BASE_URL: 'http://localhost:3000',
      UPLOAD_PART_SIZE_MIN_BYTES: 8 * 1024 ** 2,
      ADMIN_EMAILS: [],
      JOBS: 'in-process',
    });
    for (const name of Object.keys(valid)) {
      expect(problemsOf({ ...valid, [name]: undefined })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is missing\\.`)),
      ]);
    }
  });

  test('treats an empty variable as absent', () => {
    expect(readConfig({ ...valid, PORT: '', S3_PUBLIC_ENDPOINT: '' }).PORT).toBe(3000);
  });

  test('names every problem at once', () => {
    expect(problemsOf({})).toHaveLength(Object.keys(valid).length);
  });

  test.each([
    ['TOKEN_ENVELOPE_KEY', 'a'.repeat(63)],
    ['TOKEN_ENVELOPE_KEY', 'a'.repeat(65)],
    ['TOKEN_ENVELOPE_KEY', 'g'.repeat(64)],
    ['TOKEN_ENVELOPE_KEY', ` ${'a'.repeat(64)}`],
    ['TOKEN_ENVELOPE_KEY', `${'a'.repeat(64)}\n`],
    ['JWT_SECRET', 'x'.repeat(31)],
    ['JWT_SECRETS', 'x'.repeat(31), 'JWT_SECRET'],
    ['JWT_SECRETS', `${'x'.repeat(32)},`, 'JWT_SECRET'],
    ['JWT_SECRETS', `${'x'.repeat(32)}, ${'y'.repeat(32)}`, 'JWT_SECRET'],
    ['JWT_SECRETS', `${'x'.repeat(32)},${'y'.repeat(31)}`, 'JWT_SECRET'],
    ['TOKEN_ENVELOPE_KEYS', `${'a'.repeat(64)},${'b'.repeat(63)}`, 'TOKEN_ENVELOPE_KEY'],
    ['TOKEN_ENVELOPE_KEYS', `${'a'.repeat(64)}\n,${'b'.repeat(64)}`, 'TOKEN_ENVELOPE_KEY'],
    ['TOKEN_ENVELOPE_KEYS', ',', 'TOKEN_ENVELOPE_KEY'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000x'],
    ['PORT', '0x10'],
    ['DATABASE_URL', 'mysql://localhost/atelier'],
    ['S3_ENDPOINT', 'localhost:9000'],
    ['SMTP_URL', 'mail.example.com'],
    ['BASE_URL', 'ftp://example.com'],
    ['S3_BUCKET', 'Not A Bucket'],
    ['OAUTH_GOOGLE_ISSUER', 'accounts.google.com'],
    ['OAUTH_GITHUB_USER_ENDPOINT', 'javascript:alert(1)'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'my-proxy'],
    ['RATE_LIMIT_ENABLED', 'no'],
    ['RATE_LIMIT_ENABLED', 'TRUE'],
    ['RATE_LIMIT_LOGIN_FAILURES_PER_ACCOUNT', '0'],
    ['RATE_LIMIT_DEFAULT_WINDOW_SECONDS', '1m'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['CORS_ORIGINS', 'partner.example'],
    ['CORS_ORIGINS', 'localhost:3000'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'https://partner.example/app'],
    ['CORS_ORIGINS', 'https://partner.example,https://*.partner.example'],
    ['UPLOAD_PART_SIZE_MIN_BYTES', String(5 * 1024 ** 2 - 1)],
  ])('refuses %s = %j without repeating it', (name, value, instead = '') => {
    const problems = problemsOf({ ...valid, [instead]: undefined, [name]: value });
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^${name} is malformed: .*expected `)),
    ]);
    if (value.length > 5) expect(problems.join()).not.toContain(value);
    for (const entry of value.split(',')) {
      if (entry.length > 30) expect(problems.join()).not.toContain(entry);
    }
  });

  test.each([
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'DATABASE_MIGRATION_URL',
    'DATABASE_REPLICA_URL',
  ] as const)('refuses several hosts in %s, and says what to use instead', (name) => {
    for (const value of [
      'postgres://atelier@first,second,third/atelier?target_session_attrs=read-write',
      'postgres://atelier:secret@first:5432,second:5433/atelier',
      'postgresql://first%2Csecond',
      'postgres:///atelier?user=atelier&host=first,second',
    ]) {
      expect(problemsOf({ ...valid, [name]: value })).toEqual([
        expect.stringMatching(
          new RegExp(`^${name} is malformed: it names several hosts, .*name one address .*HAProxy`),
        ),
      ]);
    }
    for (const value of [
      'postgres://atelier:a,b%40c@db.example.com:5432/atelier?sslmode=require&options=a,b',
      'postgres://[::1]:5432/atelier',
    ]) {
      expect(readConfig({ ...valid, [name]: value })[name]).toBe(value);
    }
    expect(problemsOf({ ...valid, [name]: 'postgres://%zz,/atelier' })).toHaveLength(1);
  });

  test('accepts one key or a list of keys, but not both', () => {
    const { JWT_SECRET, TOKEN_ENVELOPE_KEY } = valid;
    expect(readConfig(valid)).toMatchObject({
      JWT_SECRETS: [JWT_SECRET],
      TOKEN_ENVELOPE_KEYS: [TOKEN_ENVELOPE_KEY],
    });
    // A comma in a single key is part of it.
    const secret = `${'x'.repeat(20)},${'y'.repeat(20)}`;
    expect(readConfig({ ...valid, JWT_SECRET: secret }).JWT_SECRETS).toEqual([secret]);
    const lists = {
      JWT_SECRETS: `${'x'.repeat(32)},${'y'.repeat(32)}`,
      TOKEN_ENVELOPE_KEYS: `${'a'.repeat(64)},${'b'.repeat(64)}`,
    };
    const absent = { JWT_SECRET: undefined, TOKEN_ENVELOPE_KEY: '' };
    expect(readConfig({ ...valid, ...absent, ...lists })).toMatchObject({
      JWT_SECRETS: ['x'.repeat(32), 'y'.repeat(32)],
      TOKEN_ENVELOPE_KEYS: ['a'.repeat(64), 'b'.repeat(64)],
    });

    const problems = problemsOf({ ...valid, ...lists });
    expect(problems).toEqual([
      expect.stringMatching(/^JWT_SECRET and JWT_SECRETS are both given: leave one of them out\./),
      expect.stringMatching(/^TOKEN_ENVELOPE_KEY and TOKEN_ENVELOPE_KEYS are both given: /),
    ]);
    for (const value of [JWT_SECRET, TOKEN_ENVELOPE_KEY, 'y'.repeat(32), 'b'.repeat(64)]) {
      expect(problems.join()).not.toContain(value);
    }
  });

  test('drops the slash at the end of a URL', () => {
    const { BASE_URL, APP_URL } = readConfig({
      ...valid,
      BASE_URL: 'https://api.example.com/',
      APP_URL: 'https://example.com/app//',
    });
    expect([BASE_URL, APP_URL]).toEqual(['https://api.example.com', 'https://example.com/app']);
  });

  test('takes an issuer literally', () => {
    const issuer = 'https://login.example.com/';
    expect(readConfig({ ...valid, OAUTH_GOOGLE_ISSUER: issuer }).OAUTH_GOOGLE_ISSUER).toBe(issuer);
  });

  test('reads lists', () => {
    const { TRUSTED_PROXIES, ADMIN_EMAILS } = readConfig({
      ...valid,
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
      ADMIN_EMAILS: 'a@example.com , b@example.com',
    });
    expect(TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
    expect(ADMIN_EMAILS).toEqual(['a@example.com', 'b@example.com']);
  });

  test.each([
    ['https://partner.example/', ['https://partner.example']],
    [
      'HTTPS://Partner.example:443, http://localhost:8080',
      ['https://partner.example', 'http://localhost:8080'],
    ],
    ['capacitor://localhost', ['capacitor://localhost']],
    ['*', ['*']],
  ])('reads %s as origins', (CORS_ORIGINS, origins) => {
    expect(readConfig({ ...valid, CORS_ORIGINS }).CORS_ORIGINS).toEqual(origins);
  });

  test('documented limits by default', () => {
    const limits = (env: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(readConfig({ ...valid, ...env })).filter(([name]) =>
          /^RATE_LIMIT|^REDIS/.test(name),
        ),
      );
    expect(limits({})).toEqual({
      RATE_LIMIT_ENABLED: true,
      RATE_LIMIT_LOGIN_FAILURES_PER_ACCOUNT: 10,
      RATE_LIMIT_LOGIN_FAILURES_PER_ADDRESS: 50,
      RATE_LIMIT_LOGIN_WINDOW_SECONDS: 900,
      RATE_LIMIT_SECOND_FACTOR_FAILURES_PER_ACCOUNT: 5,
      RATE_LIMIT_SECOND_FACTOR_WINDOW_SECONDS: 900,
      RATE_LIMIT_REGISTER_PER_ADDRESS: 5,
      RATE_LIMIT_REGISTER_PER_MAILBOX: 5,
      RATE_LIMIT_REGISTER_WINDOW_SECONDS: 3_600,
      RATE_LIMIT_PASSWORD_RESET_PER_ADDRESS: 5,
      RATE_LIMIT_PASSWORD_RESET_PER_MAILBOX: 5,
      RATE_LIMIT_PASSWORD_RESET_WINDOW_SECONDS: 3_600,
      RATE_LIMIT_REFRESH_PER_ADDRESS: 150,
      RATE_LIMIT_REFRESH_WINDOW_SECONDS: 300,
      RATE_LIMIT_SHARE_PASSWORDS_PER_NETWORK: 10,
      RATE_LIMIT_SHARE_PASSWORDS_PER_NETWORK_WINDOW_SECONDS: 900,
      RATE_LIMIT_SHARE_PASSWORDS_PER_SHARE: 50,
      RATE_LIMIT_SHARE_PASSWORDS_PER_SHARE_WINDOW_SECONDS: 3_600,
      RATE_LIMIT_SHARE_COMMENTS_PER_TICKET: 30,
      RATE_LIMIT_SHARE_COMMENTS_PER_SHARE: 200,
      RATE_LIMIT_SHARE_COMMENTS_WINDOW_SECONDS: 3_600,
      RATE_LIMIT_SHARE_REQUESTS_PER_TICKET: 300,
      RATE_LIMIT_SHARE_REQUESTS_WINDOW_SECONDS: 60,
      RATE_LIMIT_LEAKED_KEYS_PER_ADDRESS: 30,
      RATE_LIMIT_LEAKED_KEYS_WINDOW_SECONDS: 60,
      RATE_LIMIT_INVITATIONS_PER_INVITER: 50,
      RATE_LIMIT_INVITATION_MAILS_PER_MAILBOX: 5,
      RATE_LIMIT_INVITATIONS_WINDOW_SECONDS: 3_600,
      RATE_LIMIT_INVITATION_MAIL_PAUSE_SECONDS: 600,
      RATE_LIMIT_SEARCHES_PER_CALLER: 60,
      RATE_LIMIT_SUGGESTIONS_PER_CALLER: 240,
      RATE_LIMIT_SEARCHES_WINDOW_SECONDS: 60,
      RATE_LIMIT_SEARCH_REBUILDS_PER_ORGANIZATION: 1,
      RATE_LIMIT_SEARCH_REBUILDS_WINDOW_SECONDS: 3_600,
      RATE_LIMIT_DEFAULT_PER_CALLER: 600,
      RATE_LIMIT_DEFAULT_WINDOW_SECONDS: 60,
    });
    expect(limits({ RATE_LIMIT_ENABLED: 'false', REDIS_URL: 'redis://localhost' })).toMatchObject({
      RATE_LIMIT_ENABLED: false,
      REDIS_URL: 'redis://localhost',
    });
  });
});
