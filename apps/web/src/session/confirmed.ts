import { ApiError } from '@atelier/client';
import { createStore } from '../ui/store.ts';

interface Question {
  readonly answer: (isConfirmed: boolean) => void;
}

/** The open question who uses the session, for the dialog that asks it; null without one. */
export const question = createStore<Question | null>(null);

let asked: Promise<boolean> | null = null;

/**
 * Asks for the password. All that ask meanwhile share one dialog.
 *
 * @returns whether the user confirmed
 */
export function askToConfirm(): Promise<boolean> {
  asked ??= new Promise<boolean>((answer) => question.set({ answer })).finally(() => {
    asked = null;
    question.set(null);
  });
  return asked;
}

/** Ends an open question unanswered: another user may be the next one of this tab. */
export function stopAsking(): void {
  question.get()?.answer(false);
}

/**
 * Sends a change. If the session has to be confirmed first, asks for the password and sends it again.
 *
 * @throws ApiError `confirmation_required` if the user doesn't confirm
 */
export async function confirmed<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!needsConfirmation(error) || !(await askToConfirm())) throw error;
    return change();
  }
}

/** Tells whether a request was refused until the user confirms who they are. */
export function needsConfirmation(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'confirmation_required';
}
