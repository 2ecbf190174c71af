import { createTransport } from 'nodemailer';
import type { Mailer } from '../ports/mailer.ts';

/** Sends mail by SMTP, over a small pool of persistent connections. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
  });
  return {
    async send(mail) {
      const { headers = {}, ...parts } = mail;
      try {
        await transport.sendMail({ from, ...parts, headers: { ...headers } });
      } catch (error) {
        throw withCodesOnly(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  /** Of a system error, such as `ECONNREFUSED`. */
  readonly originalCode?: string;
  /** Of the mail server. */
  readonly responseCode?: number;
}

/** The text of the error may quote the mail server, and that the address. */
function withCodesOnly({ code, originalCode, responseCode }: SmtpError): Error {
  const codes = [code, originalCode, responseCode].filter((known) => known !== undefined);
  const error = new Error(`the mail was not sent: ${codes.join(' ')}`);
  return Object.assign(error, code !== undefined && { code });
}
