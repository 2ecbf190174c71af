/** Differs for each session of this tab: a change is never sent in the session of another user. */
let mark = crypto.randomUUID();

export function currentSession(): string {
  return mark;
}

export function startNextSession(): void {
  mark = crypto.randomUUID();
}
