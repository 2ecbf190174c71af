import { createTransport } from 'nodemailer';
import type { Mailer } from '../ports/mailer.ts';

/** How many mails are sent at once. */
export const smtpConnections = 2;

/** For one mail, in milliseconds: a server that keeps sending parts of a response meets no other timeout. */
const mailDeadlineMs = 30_000;

/**
 * Sends mail by SMTP, over a small pool of persistent connections. A mail that misses its deadline, or whose signal aborts,
 * fails and closes its connection.
 */
export function createSmtpMailer({ url, from, deadlineMs = mailDeadlineMs }: SmtpSettings): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: smtpConnections,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
  });
  return {
    async send(mail, stopped) {
      const { headers = {}, ...parts } = mail;
      const missed = AbortSignal.timeout(deadlineMs);
      const signal = stopped ? AbortSignal.any([stopped, missed]) : missed;
      try {
        await transport.sendMail({ from, ...parts, headers: { ...headers }, signal });
      } catch (error) {
        throw withCodesOnly(missed.aborted ? { code: 'ETIMEDOUT' } : (error as SmtpCodes));
      }
    },
    close: () => transport.close(),
  };
}

interface SmtpSettings {
  readonly url: string;
  readonly from: string;
  readonly deadlineMs?: number;
}

interface SmtpCodes {
  readonly code?: string;
  /** Of a system error, such as `ECONNREFUSED`. */
  readonly originalCode?: string;
  /** Of the mail server. */
  readonly responseCode?: number;
}

/** The text of the error may quote the mail server, and that the address. */
function withCodesOnly({ code, originalCode, responseCode }: SmtpCodes): Error {
  const codes = [code, originalCode, responseCode].filter((known) => known !== undefined);
  const error = new Error(`the mail was not sent: ${codes.join(' ')}`);
  return Object.assign(error, code !== undefined && { code });
}
