import { startMailInbox, type RunningMailInbox } from '@atelier/devstack';

export interface Mail {
  readonly to: readonly { readonly address: string }[];
  readonly text: string;
}

/** A mail server that can be shut down; it keeps the mails that arrived before. */
export interface MailServer {
  readonly smtpUrl: string;
  /** Serves the mails while the server runs. */
  readonly url: string;
  shutDown(): Promise<void>;
  restart(): Promise<void>;
  /** Every mail, oldest first. */
  mails(): Promise<Mail[]>;
  /** Mails to an address, oldest first. */
  mailsTo(address: string): Promise<Mail[]>;
  stop(): Promise<void>;
}

export async function startMail(): Promise<MailServer> {
  const kept: Mail[] = [];
  let inbox: RunningMailInbox | null = await startMailInbox();
  const { smtpUrl, smtpPort, url } = inbox;

  async function received(): Promise<Mail[]> {
    if (!inbox) return [];
    // The inbox of devstack responds with this shape.
    return (await (await fetch(`${inbox.url}/email`)).json()) as Mail[];
  }
  async function mails(): Promise<Mail[]> {
    return [...kept, ...(await received())];
  }
  async function shutDown(): Promise<void> {
    // A mail that was accepted after they were read would be lost.
    await inbox?.stopReceiving();
    kept.push(...(await received()));
    await inbox?.stop();
    inbox = null;
  }
  return {
    smtpUrl,
    url,
    shutDown,
    async restart() {
      inbox ??= await startMailInbox({ smtpPort });
    },
    mails,
    async mailsTo(address) {
      return (await mails()).filter(({ to }) =>
        to.some((recipient) => recipient.address === address),
      );
    },
    stop: shutDown,
  };
}
