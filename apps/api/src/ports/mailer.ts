export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its brackets. Equal for a repetition, so that mail programs show one. */
  readonly messageId?: string;
  /** The ids of messages that it belongs to: programs show those of one conversation together. */
  readonly references?: string;
  /** By name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends mail. */
export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail; rejects otherwise.
   *
   * @param stopped - gives up a mail that is still being sent, which the server may have accepted
   */
  send(mail: Mail, stopped?: AbortSignal): Promise<void>;
  close(): void;
}
