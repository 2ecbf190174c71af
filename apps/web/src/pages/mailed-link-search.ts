export interface MailedLinkSearch {
  readonly token?: string | undefined;
}

export function validateSearch({ token }: Record<string, unknown>): MailedLinkSearch {
  // The router parses a token of digits as a number.
  return typeof token === 'string' || typeof token === 'number' ? { token: String(token) } : {};
}
