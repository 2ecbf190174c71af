import type { SMTPServer } from 'smtp-server';
import { closeHttp, listen } from '../http/loopback.ts';
import { createInboxServer } from './http.ts';
import { Inbox } from './inbox.ts';
import { createSmtpServer } from './smtp.ts';

export type { Mailbox, ReceivedMail } from './inbox.ts';

export interface MailInboxOptions {
  /** Default 0 = a free port. */
  smtpPort?: number;
  /** Default 0 = a free port. */
  httpPort?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Maximum number of mails; the oldest are evicted. Default 1,000. */
  maxMails?: number;
}

export interface RunningMailInbox {
  /** URL to deliver mail to, `smtp://127.0.0.1:…`. */
  smtpUrl: string;
  /** URL of the inbox page; programs use `GET /email`, `GET /email?to=ADDRESS` and `DELETE /email`. */
  url: string;
  smtpPort: number;
  httpPort: number;
  /** Accepts no more mails, once those that are on their way have arrived; the inbox can still be read. */
  stopReceiving(): Promise<void>;
  stop(): Promise<void>;
}

const maxMessageBytes = 10 * 1024 * 1024;
const inboxLimits = { mails: 1_000, totalCharacters: 128 * 1024 * 1024 };

function closeSmtp(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/**
 * Starts a mail server that shows mails instead of delivering them: the last 1,000 messages of up to 10 MiB, or another
 * number, in memory.
 *
 * @throws the system's error when a port is taken (EADDRINUSE)
 */
export async function startMailInbox(options: MailInboxOptions = {}): Promise<RunningMailInbox> {
  const host = options.host ?? '127.0.0.1';
  const inbox = new Inbox({ ...inboxLimits, mails: options.maxMails ?? inboxLimits.mails });
  const smtp = createSmtpServer({ inbox, maxMessageBytes });
  const http = createInboxServer(inbox);
  const smtpPort = await listen(smtp.server, options.smtpPort ?? 0, host);
  try {
    const httpPort = await listen(http, options.httpPort ?? 0, host);
    return {
      smtpUrl: `smtp://${host}:${smtpPort}`,
      url: `http://localhost:${httpPort}`,
      smtpPort,
      httpPort,
      stopReceiving: () => closeSmtp(smtp),
      stop: async () => {
        await Promise.all([closeSmtp(smtp), closeHttp(http)]);
      },
    };
  } catch (error) {
    await closeSmtp(smtp);
    throw error;
  }
}
