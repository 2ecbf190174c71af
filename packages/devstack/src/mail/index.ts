import type { SMTPServer } from 'smtp-server';
import { closeHttp, listen } from '../http/loopback.ts';
import { createInboxServer } from './http.ts';
import { Inbox } from './inbox.ts';
import { createSmtpServer } from './smtp.ts';

export type { Mailbox, ReceivedMail } from './inbox.ts';

export interface MailInboxOptions {
  /** Default 0: any free one. */
  smtpPort?: number;
  /** Default 0: any free one. */
  httpPort?: number;
  /** Default 127.0.0.1. */
  host?: string;
}

export interface RunningMailInbox {
  /** Where to hand mail over, `smtp://127.0.0.1:…`. */
  smtpUrl: string;
  /** The page to read it; `GET /email` and `DELETE /email` for programs. */
  url: string;
  smtpPort: number;
  httpPort: number;
  stop(): Promise<void>;
}

const maxMessageBytes = 10 * 1024 * 1024;
const inboxLimits = { mails: 1_000, totalCharacters: 128 * 1024 * 1024 };

function closeSmtp(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/**
 * Starts a mail server that delivers nothing and shows everything it was given: messages up to
 * 10 MiB, the last 1,000 of them, in memory.
 *
 * @throws the system's error when a port is taken (EADDRINUSE)
 */
export async function startMailInbox(options: MailInboxOptions = {}): Promise<RunningMailInbox> {
  const host = options.host ?? '127.0.0.1';
  const inbox = new Inbox(inboxLimits);
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
      stop: async () => {
        await Promise.all([closeSmtp(smtp), closeHttp(http)]);
      },
    };
  } catch (error) {
    await closeSmtp(smtp);
    throw error;
  }
}
