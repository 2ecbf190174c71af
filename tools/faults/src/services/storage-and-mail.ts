import { randomBytes } from 'node:crypto';
import { startMail, type MailServer } from './mail.ts';
import { startStorage } from './storage.ts';

/** What an API has beside its database. */
export interface StorageAndMail {
  readonly mail: MailServer;
  readonly storageEnvironment: Readonly<Record<string, string>>;
  /** Everything that an API needs but its database and its own addresses. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a storage and a mail server. @param endBy - takes what ends each of them */
export async function startStorageAndMail(
  directory: string,
  {
    port,
    bucket,
    endBy,
  }: { port: number; bucket: string; endBy: (end: () => Promise<unknown>) => void },
): Promise<StorageAndMail> {
  const storage = await startStorage(directory, port);
  endBy(() => storage.kill());
  const mail = await startMail();
  endBy(() => mail.stop());
  const storageEnvironment = {
    S3_BUCKET: bucket,
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY: storage.keys.accessKey,
    S3_SECRET_KEY: storage.keys.secretKey,
  };
  const environment = {
    ...storageEnvironment,
    SMTP_URL: mail.smtpUrl,
    JWT_SECRET: randomBytes(32).toString('hex'),
    TOKEN_ENVELOPE_KEY: randomBytes(32).toString('hex'),
    RATE_LIMIT_ENABLED: 'false',
    JOB_LEASE_SECONDS: '4',
    // Load shedding would only measure that all processes share this machine.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    LOG_LEVEL: 'warn',
  };
  return { mail, storageEnvironment, environment };
}
