import { startMailInbox, type RunningMailInbox } from '@atelier/devstack';

interface Mail {
  readonly to: readonly { readonly address: string }[];
  readonly text: string;
}

/** A mail server that can be away; what arrived before is kept. */
export interface MailServer {
  readonly smtpUrl: string;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Mails to an address, oldest first. */
  mailsTo(address: string): Promise<Mail[]>;
  stop(): Promise<void>;
}

export async function startMail(): Promise<MailServer> {
  const kept: Mail[] = [];
  let inbox: RunningMailInbox | null = await startMailInbox();
  const { smtpUrl, smtpPort } = inbox;

  async function received(): Promise<Mail[]> {
    if (!inbox) return [];
    // The inbox is ours, and its answer of this shape.
    return (await (await fetch(`${inbox.url}/email`)).json()) as Mail[];
  }
  async function goAway(): Promise<void> {
    kept.push(...(await received()));
    await inbox?.stop();
    inbox = null;
  }
  return {
    smtpUrl,
    goAway,
    async comeBack() {
      inbox ??= await startMailInbox({ smtpPort });
    },
    async mailsTo(address) {
      const mails = [...kept, ...(await received())];
      return mails.filter(({ to }) => to.some((recipient) => recipient.address === address));
    },
    stop: goAway,
  };
}
