const key = 'atelier_destination';

/** Remembers where to go on, across the visit of a sign-in provider. */
export function keepDestination(path: string | undefined): void {
  try {
    if (path) sessionStorage.setItem(key, path);
    else sessionStorage.removeItem(key);
  } catch {
    // Then it is the start page.
  }
}

/** Where to go on; asked once. */
export function takeDestination(): string {
  try {
    const path = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return path ?? '/';
  } catch {
    return '/';
  }
}
