import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

/** What a client can tell from the exit code: the same as of the command line `atelier`. */
export const exitCodes = { failed: 1, usage: 2, key: 3, connection: 4 } as const;

export interface Failure {
  readonly exitCode: number;
  /** One line, without keys and without what a terminal would take for a command. */
  readonly text: string;
}

/**
 * Describes why the service did not do what was asked, for people and for models.
 *
 * @param address - of the service's `/mcp`
 */
export function failureOf(error: unknown, address: URL): Failure {
  const { exitCode, text } = described(error, address);
  return { exitCode, text: withoutKeys(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()) };
}

/** Replaces API keys: an error may quote what it was given. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/atl_\w+/g, 'atl_…');
}

const addressAdvice = 'Is ATELIER_URL the address of a service, such as https://api.example.com?';

function described(error: unknown, { origin, pathname }: URL): Failure {
  const place = `${origin}${pathname}`;
  if (error instanceof SdkHttpError) return refusalOf(error, place);
  if (error instanceof ProtocolError) return { exitCode: exitCodes.failed, text: error.message };
  const problem = connectionProblemOf(error);
  if (problem !== null) {
    return { exitCode: exitCodes.connection, text: `No connection to ${origin}: ${problem}` };
  }
  return {
    exitCode: exitCodes.failed,
    text: `${place} does not speak the Model Context Protocol. ${addressAdvice}`,
  };
}

/** The one error shape of the API. */
interface ErrorBody {
  readonly message: string;
  readonly code: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly message: string }[];
}

function refusalOf({ status, data }: SdkHttpError, place: string): Failure {
  const body = errorBodyIn(data.text);
  // The service has no 404 at this path.
  if (body === null || status === 404) {
    const advice = status < 500 ? addressAdvice : 'Try again later.';
    return { exitCode: exitCodes.failed, text: `${place} responds with ${status}. ${advice}` };
  }
  const { message, code, requestId, errors = [] } = body;
  const what = errors.map((issue) => issue.message).join('; ') || message;
  const reference = requestId === undefined ? '' : `, request ${requestId}`;
  const text = `${what} (${code}${reference})`;
  if (code === 'unauthenticated') {
    return { exitCode: exitCodes.key, text: `The service refuses the key in ATELIER_KEY: ${text}` };
  }
  const isUsage = code === 'validation_failed';
  return { exitCode: isUsage ? exitCodes.usage : exitCodes.failed, text };
}

/** @returns null for the response of another service, such as a proxy */
function errorBodyIn(text: unknown): ErrorBody | null {
  try {
    const body = JSON.parse(String(text)) as Partial<ErrorBody> | null;
    const isErrorBody = typeof body?.message === 'string' && typeof body.code === 'string';
    return isErrorBody ? (body as ErrorBody) : null;
  } catch {
    return null;
  }
}

/** @returns why there is no response, by the innermost cause; null if there is one */
function connectionProblemOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return 'it does not respond in time';
  }
  // Of `fetch`, or of reading its response.
  if (error instanceof TypeError && error.cause instanceof Error) return reasonOf(error.cause);
  return connectionProblemOf(error.cause);
}

function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // One about several addresses has a code only.
  return error.message || String((error as NodeJS.ErrnoException).code);
}
