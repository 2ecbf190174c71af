import { ApiError, TransportError } from '@atelier/client';
import { UploadError } from '@atelier/client/upload';
import { printable } from './terminal.ts';

/** What a script can tell from the exit code. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  signIn: 3,
  connection: 4,
  /** That of programs which a shell ends by SIGPIPE. */
  unread: 141,
} as const;

/** The command line is wrong; the message says what is wanted. */
export class UsageError extends Error {}

/** Part of the work failed, and each part has been reported. */
export class PartialFailure extends Error {}

/** The sign-in or the key has ended, which has been reported. */
export class SignInEnded extends PartialFailure {}

export interface Failure {
  readonly exitCode: number;
  /** Lines for people; null if they have been told. */
  readonly text: string | null;
}

/** Describes an error for people and for scripts. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, text: error.message };
  if (error instanceof SignInEnded) return { exitCode: exitCodes.signIn, text: signInAdvice };
  if (error instanceof PartialFailure) return { exitCode: exitCodes.failed, text: null };
  if (error instanceof TransportError && error.kind === 'session_expired') return signedOut;
  if (isOfConnection(error)) return { exitCode: exitCodes.connection, text: withCause(error) };
  if (error instanceof ApiError) {
    if (error.code === 'unauthenticated') return signedOut;
    const isUsage = error.code === 'validation_failed' || error.code === 'malformed_request';
    return {
      exitCode: isUsage ? exitCodes.usage : exitCodes.failed,
      text: [
        `${printable(error.message)} (${error.code})`,
        ...error.issues.map(({ path, message }) => `  ${[...path].join('.')}: ${message}`),
        ...(error.requestId === null ? [] : [`  request ${error.requestId}`]),
      ].join('\n'),
    };
  }
  return {
    exitCode: exitCodes.failed,
    text: error instanceof Error ? error.message : String(error),
  };
}

/** Why a transfer failed that needs a new sign-in. */
export const signInProblem = 'You are not signed in, or your API key no longer works';
const signInAdvice = 'Run: atelier login, or set ATELIER_API_KEY';
const signedOut: Failure = {
  exitCode: exitCodes.signIn,
  text: `${signInProblem}. ${signInAdvice}`,
};

function isOfConnection(error: unknown): error is Error {
  if (error instanceof TransportError || error instanceof UploadError) return true;
  // Of `fetch`, or of reading its response.
  return error instanceof TypeError && error.cause instanceof Error;
}

/** Adds the reason: errors of `fetch` have it in their cause only. */
function withCause({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${reasonOf(cause)}` : message;
}

function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // One about several addresses has a code only.
  return error.message || String((error as NodeJS.ErrnoException).code);
}
