export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves when the mail server took the mail over; rejects otherwise. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
