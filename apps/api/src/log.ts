import { writeSync } from 'node:fs';
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

/** Lines are buffered, and written at this size or after this time. */
const bytesWritten = 64 * 1024;
const writeDelayMs = 50;
/** While they can't be written, later lines are dropped from this size on. */
const maxWaitingBytes = 8 * 1024 * 1024;

/**
 * Writes JSON lines to standard output. A write for each request would cost a system call and two thread switches;
 * the buffer is flushed when the process ends, and at once after a fatal line. A disk that is full ends nothing: lines wait
 * until they can be written.
 */
export function createProcessLog(level: string, contextFields?: ContextFields): Logger {
  const output = destination({
    dest: 1,
    sync: false,
    minLength: bytesWritten,
    maxWrite: 2 * bytesWritten,
    periodicFlush: writeDelayMs,
    maxLength: maxWaitingBytes,
    contentMode: 'buffer',
    // Its types only know text.
  }) as unknown as BytesOutput;
  surviveFailures(output);
  const lines: DestinationStream & Pick<BytesOutput, 'flush' | 'flushSync'> = {
    // For buffered text it counts the bytes again with every line, and each count copies joined text.
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
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): void;
  on(event: 'write', listener: () => void): void;
}

/** The library tries again with the next lines; an error that has no listener would end the process. */
function surviveFailures(output: BytesOutput): void {
  let isFailing = false;
  output.on('error', ({ code, message }) => {
    if (isFailing) return;
    isFailing = true;
    tell(`log lines can't be written (${code ?? message}), and wait`);
  });
  output.on('write', () => {
    isFailing = false;
  });
  const flushSync = output.flushSync.bind(output);
  // It tries for ever, and the process would never end.
  output.flushSync = () => {
    if (!isFailing) flushSync();
  };
}

function tell(problem: string): void {
  try {
    writeSync(2, `${problem}\n`);
  } catch {
    // Standard error may be on the same disk.
  }
}

/** Log fields that depend on the current context. */
export type ContextFields = () => Readonly<Record<string, string>>;

/**
 * Logs JSON lines. Fields with secrets are redacted, two levels deep; statements keep their text but lose their
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

/** Serializes an error without the parameters of statements. */
function describeError(error: unknown): object {
  // Any value can be thrown.
  if (!(error instanceof Error)) return { type: typeof error };
  const { message, stack = '' } = error;
  return {
    type: stdSerializers.err(error).type,
    message: withoutParameters(message),
    ...('code' in error && { code: error.code }),
    // It usually begins with the message, whose parameters may have lines like those of a stack.
    stack: stack.includes(message)
      ? stack.replace(message, () => withoutParameters(message))
      : withoutParameters(stack),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

/** Removes the statement parameters that the database library puts at the end of the message of an error. */
export function withoutParameters(message: string): string {
  const [statement = ''] = message.split('\nparams: ', 1);
  return statement;
}
