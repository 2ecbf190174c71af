const key = 'atelier_destination';

/** Stores where to continue after the redirect to a sign-in provider. */
export function saveDestination(path: string | undefined): void {
  try {
    if (path) sessionStorage.setItem(key, path);
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage, the sign-in ends on the dashboard.
  }
}

/** Returns and removes the stored destination. */
export function takeDestination(): string {
  try {
    const path = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return path ?? '/';
  } catch {
    return '/';
  }
}
