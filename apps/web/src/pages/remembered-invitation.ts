const key = 'atelier_invitation';

/**
 * Stores the invitation that the visitor signs up for: the link in the verification email opens in
 * another tab.
 */
export function rememberInvitation(path: string): void {
  try {
    localStorage.setItem(key, path);
  } catch {
    // Without storage, the invitation email leads back.
  }
}

/** Returns the path of the invitation, if there is one. */
export function rememberedInvitation(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetInvitation(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, nothing was stored.
  }
}
