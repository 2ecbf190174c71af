import { randomUUID } from 'node:crypto';
import type { Address } from 'postal-mime';
import PostalMime from 'postal-mime';

export interface Mailbox {
  address: string;
  name: string;
}

/** A received mail; the sender controls everything but `id`, `to` and `date`. */
export interface ReceivedMail {
  id: string;
  from: Mailbox;
  /** Recipients of the envelope, including blind copies. */
  to: Mailbox[];
  subject: string;
  text: string;
  html: string;
  /** By lower-case name; of several with the same name, the last. */
  headers: Record<string, string>;
  /** When it was received, ISO 8601. */
  date: string;
}

export interface Envelope {
  from: string;
  to: readonly string[];
}

export interface InboxLimits {
  mails: number;
  totalCharacters: number;
}

const parserLimits = { maxNestingDepth: 32, maxHeadersSize: 256 * 1024 };

function mailboxes(addresses: readonly Address[] | undefined): Mailbox[] {
  return (addresses ?? []).flatMap((one) =>
    one.group === undefined ? [{ address: one.address, name: one.name }] : mailboxes(one.group),
  );
}

function sizeOf({ from, to, subject, text, html, headers }: ReceivedMail): number {
  const addresses = [from, ...to].flatMap(({ address, name }) => [address, name]);
  const texts = [subject, text, html, ...addresses, ...Object.entries(headers).flat()];
  return texts.reduce((sum, one) => sum + one.length, 0);
}

/** Parses a message; missing fields become empty texts. */
export async function parseMail(raw: Uint8Array, envelope: Envelope): Promise<ReceivedMail> {
  const parsed = await PostalMime.parse(raw, parserLimits);
  const named = mailboxes([...(parsed.to ?? []), ...(parsed.cc ?? [])]);
  const [from] = mailboxes(parsed.from === undefined ? [] : [parsed.from]);
  return {
    id: randomUUID(),
    from: from ?? { address: envelope.from, name: '' },
    to: envelope.to.map((address) => ({
      address,
      name: named.find((one) => one.address.toLowerCase() === address.toLowerCase())?.name ?? '',
    })),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
    date: new Date().toISOString(),
  };
}

/** The mails in memory, oldest first; the oldest are evicted when there are too many or too much data. */
export class Inbox {
  readonly #limits: InboxLimits;
  #mails: ReceivedMail[] = [];
  #totalCharacters = 0;

  constructor(limits: InboxLimits) {
    this.#limits = limits;
  }

  get mails(): readonly ReceivedMail[] {
    return this.#mails;
  }

  /** Returns the mails to an address, or all of them without one; oldest first. */
  mailsTo(address: string | null): readonly ReceivedMail[] {
    if (address === null) return this.#mails;
    const wanted = address.toLowerCase();
    return this.#mails.filter(({ to }) => to.some((one) => one.address.toLowerCase() === wanted));
  }

  add(mail: ReceivedMail): void {
    this.#mails.push(mail);
    this.#totalCharacters += sizeOf(mail);
    while (this.#isOverfull()) {
      const oldest = this.#mails.shift();
      if (oldest !== undefined) this.#totalCharacters -= sizeOf(oldest);
    }
  }

  find(id: string): ReceivedMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  clear(): void {
    this.#mails = [];
    this.#totalCharacters = 0;
  }

  #isOverfull(): boolean {
    if (this.#mails.length > this.#limits.mails) return true;
    return this.#totalCharacters > this.#limits.totalCharacters && this.#mails.length > 1;
  }
}
