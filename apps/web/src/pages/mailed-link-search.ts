export interface MailedLinkSearch {
  readonly token?: string | undefined;
}

export function validateSearch({ token }: Record<string, unknown>): MailedLinkSearch {
  // A token of digits alone is read as a number.
  return typeof token === 'string' || typeof token === 'number' ? { token: String(token) } : {};
}
