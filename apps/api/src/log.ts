import { destination, pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

const secretFields = [
  'authorization',
  'password',
  'passwordHash',
  'token',
  'accessToken',
  'refreshToken',
  'resetToken',
  'code',
  'verifier',
] as const;

/** Lines are written together, when they fill this much or when this long has passed. */
const writtenBytes = 64 * 1024;
const writtenAfterMs = 50;

/**
 * JSON lines on standard output. A write of its own for each request would cost a system call and two changes of the
 * thread; what still waits is written when the process ends, and at once with a fatal line.
 */
export function createProcessLog(level: string, contextFields?: ContextFields): Logger {
  const output = destination({
    dest: 1,
    sync: false,
    minLength: writtenBytes,
    maxWrite: 2 * writtenBytes,
    periodicFlush: writtenAfterMs,
    contentMode: 'buffer',
    // Its types know text alone.
  }) as unknown as BytesOutput;
  const lines: DestinationStream & Pick<BytesOutput, 'flush' | 'flushSync'> = {
    // Of waiting text it counts the bytes again with every line, and of joined text each count makes a copy.
    write: (line) => output.write(Buffer.from(line)),
    flush: (done) => output.flush(done),
    flushSync: () => output.flushSync(),
  };
  return createLog(level, lines, contextFields);
}

interface BytesOutput {
  write(bytes: Buffer): void;
  flush(done?: (error?: Error | null) => void): void;
  flushSync(): void;
}

/** Fields of a line that depend on what is under way. */
export type ContextFields = () => Readonly<Record<string, string>>;

/**
 * JSON lines. Fields that hold secrets are taken out, two levels deep; statements keep their text but lose their
 * parameters.
 */
export function createLog(
  level: string,
  output: DestinationStream,
  contextFields?: ContextFields,
): Logger {
  return pino(
    {
      level,
      ...(contextFields && { mixin: contextFields }),
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
    output,
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
