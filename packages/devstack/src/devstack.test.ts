import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDevstack } from './devstack.ts';
import { freePorts } from './ports.ts';

test('services of the environment are not embedded', async () => {
  const root = mkdtempSync(join(tmpdir(), 'devstack-provided-'));
  const [identity = 0] = await freePorts(1);
  const stack = await startDevstack({
    dataDir: root,
    baseUrl: 'http://localhost:3000',
    env: {
      DATABASE_URL: 'postgres://them@db.test/one',
      S3_ENDPOINT: 'http://s3.test',
      SMTP_URL: 'smtp://mail.test',
      OAUTH_GOOGLE_CLIENT_ID: 'theirs',
      JWT_SECRET: 'theirs',
      TOKEN_ENVELOPE_KEYS: 'theirs, too',
      MAIL_FROM: '',
    },
    ports: { identity },
  });
  expect(existsSync(join(root, 'postgres'))).toBe(false);
  expect(existsSync(join(root, 'storage'))).toBe(false);
  expect(stack.addresses).toMatchObject({
    mail: null,
    storage: 'http://s3.test',
    databaseUrl: 'postgres://them@db.test/one',
  });
  expect(stack.isDatabaseEmbedded).toBe(false);
  expect(stack.environment).toMatchObject({
    JWT_SECRET: 'theirs',
    MAIL_FROM: expect.stringContaining('@'),
    OAUTH_GITHUB_CLIENT_ID: 'atelier-github',
  });
  const absent = [
    'DATABASE_URL',
    'DATABASE_MIGRATION_URL',
    'S3_ACCESS_KEY',
    'SMTP_URL',
    'OAUTH_GOOGLE_ISSUER',
  ];
  for (const name of [...absent, 'TOKEN_ENVELOPE_KEY']) {
    expect(stack.environment).not.toHaveProperty(name);
  }
  await stack.stop();
  rmSync(root, { recursive: true });
});
