export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves when the mail server has accepted the mail; rejects otherwise. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
