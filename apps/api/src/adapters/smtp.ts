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
      await transport.sendMail({ from, ...parts, headers: { ...headers } });
    },
    close: () => transport.close(),
  };
}
