import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

const secretFields = [
  'authorization',
  'password',
  'passwordHash',
  'token',
  'accessToken',
  'refreshToken',
  'code',
] as const;

/**
 * JSON lines on standard output. Fields that hold secrets are taken out, two levels deep; statements
 * keep their text but lose their parameters.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      redact: {
        paths: secretFields.flatMap((field) => [
          ...(field === 'code' ? [] : [field]),
          `body.${field}`,
          `query.${field}`,
          `headers.${field}`,
        ]),
        censor: '[secret]',
      },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** An error without the statement parameters that the database library puts into its message. */
function describeError(error: unknown): object {
  // Anything can be thrown.
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  return {
    type,
    message: withoutParameters(message),
    ...('code' in error && { code: error.code }),
    stack: withoutParameters(stack),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

function withoutParameters(text: string): string {
  return text.replaceAll(/\nparams: [\s\S]*?(?=\n {4}at |$)/g, '');
}
