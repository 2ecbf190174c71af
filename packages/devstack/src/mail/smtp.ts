import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { SMTPServer } from 'smtp-server';
import type { Envelope, Inbox } from './inbox.ts';
import { parseMail } from './inbox.ts';

/** An SMTP error reply. */
class SmtpError extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

async function readMessage(stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // An oversized message is read to its end, or the sender would not receive the error.
  for await (const chunk of stream) {
    const bytes: unknown = chunk;
    if (!(bytes instanceof Uint8Array)) continue;
    sizeBytes += bytes.length;
    if (sizeBytes <= maxBytes) chunks.push(bytes);
    else chunks.length = 0;
  }
  if (sizeBytes > maxBytes) {
    throw new SmtpError(552, `The message is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

function envelopeOf(session: SMTPServerSession): Envelope {
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map((recipient) => recipient.address),
  };
}

/** RFC 5321 asks for at least 100. */
const maxRecipients = 1_000;

interface SmtpOptions {
  inbox: Inbox;
  maxMessageBytes: number;
}

/** Creates an SMTP server that accepts mail for any recipient, up to a size; it does not listen yet. */
export function createSmtpServer({ inbox, maxMessageBytes }: SmtpOptions): SMTPServer {
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const raw = await readMessage(stream, maxMessageBytes);
    const mail = await parseMail(raw, envelopeOf(session)).catch(() => {
      throw new SmtpError(554, 'The message is malformed');
    });
    inbox.add(mail);
  }
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'development inbox',
    size: maxMessageBytes,
    maxRecipients,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxClients: 100,
    socketTimeout: 60_000,
    closeTimeout: 500,
    logger: false,
    onData: (stream, session, done) => {
      receive(stream, session).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  // A sender that disconnects must not end the process.
  server.on('error', () => undefined);
  return server;
}
