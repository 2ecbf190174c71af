const key = 'atelier_invitation';

/**
 * Remembers the invitation that somebody registers for: the link of the verification mail opens in
 * another tab, which knows nothing of the one before.
 */
export function rememberInvitation(path: string): void {
  try {
    localStorage.setItem(key, path);
  } catch {
    // Then the mail with the invitation is the way back.
  }
}

/** Where the invitation is; undefined when there was none. */
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
    // It was never kept.
  }
}
