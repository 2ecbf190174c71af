import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { S3Settings } from '../adapters/s3/client.ts';
import { variables } from '../variables.ts';
import { OperatorError } from '../domain/operator-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const StackFile = z.object({
  databaseUrl: z.url({ protocol: /^postgres(ql)?$/ }),
  storage: z.string(),
  storageAccessKey: z.string(),
  storageSecretKey: z.string(),
});

const Recorder = z.object({ pid: z.int().positive() });

/**
 * Resolves the operator's database: the configured one or, without that, the running embedded stack's. Past a pooler, which
 * would set its own timeout for the statements that read whole tables.
 *
 * @param env - environment variables; an empty one counts as absent
 * @param defaultDataDir - the embedded stack's default data directory
 * @throws OperatorError if there is neither
 */
export async function databaseUrlOf(env: Environment, defaultDataDir: string): Promise<string> {
  if (env['DATABASE_URL']) return env['DATABASE_DIRECT_URL'] || env['DATABASE_URL'];
  const Part = StackFile.pick({ databaseUrl: true });
  const stack = await readStack({ env, defaultDataDir }, { variable: 'DATABASE_URL', Part });
  if (!stack) throw new OperatorError(`${stackFileOf(env, defaultDataDir)} names no database.`);
  return stack.databaseUrl;
}

const storageVariables = variables.pick({
  S3_ENDPOINT: true,
  S3_REGION: true,
  S3_BUCKET: true,
  S3_ACCESS_KEY: true,
  S3_SECRET_KEY: true,
  S3_TIMEOUT_MS: true,
});

/**
 * Resolves the operator's storage: the configured one or, without that, the running embedded stack's.
 *
 * @param env - environment variables; an empty one counts as absent
 * @throws OperatorError if there is neither, it isn't the storage of the operator's database, or a variable is missing
 * or malformed
 */
export async function storageSettingsOf(
  env: Environment,
  defaultDataDir: string,
): Promise<S3Settings> {
  const embedded = await embeddedStorage(env, defaultDataDir);
  const present = Object.entries(env).filter(([, value]) => value !== '');
  const read = storageVariables.safeParse({ ...Object.fromEntries(present), ...embedded });
  if (!read.success) {
    const names = new Set(read.error.issues.map(({ path }) => String(path[0])));
    throw new OperatorError(`Missing or malformed: ${[...names].join(', ')}.`);
  }
  const settings = read.data;
  return {
    endpoint: settings.S3_ENDPOINT,
    publicEndpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET,
    accessKey: settings.S3_ACCESS_KEY,
    secretKey: settings.S3_SECRET_KEY,
    timeoutMs: settings.S3_TIMEOUT_MS,
  };
}

/** Objects that the database of another installation doesn't know would count as strays. */
async function embeddedStorage(env: Environment, defaultDataDir: string) {
  const { DATABASE_URL: databaseUrl, S3_ENDPOINT: endpoint } = env;
  if (databaseUrl && endpoint) return {};
  const variable = endpoint ? 'DATABASE_URL' : 'S3_ENDPOINT';
  const stack = await readStack({ env, defaultDataDir }, { variable, Part: StackFile });
  const file = stackFileOf(env, defaultDataDir);
  if (!stack) throw new OperatorError(`${file} names no storage.`);
  if (endpoint && endpoint !== stack.storage) {
    throw new OperatorError(
      `S3_ENDPOINT is set and DATABASE_URL is not, but the running embedded stack (${file}) uses another storage. ` +
        'Set DATABASE_URL to the database of that storage, or unset S3_ENDPOINT to work on the embedded stack.',
    );
  }
  if (databaseUrl && databaseUrl !== stack.databaseUrl) {
    throw new OperatorError(
      `DATABASE_URL is set and S3_ENDPOINT is not, but the running embedded stack (${file}) uses another database. ` +
        'Set the S3 variables to the storage of that database, or unset DATABASE_URL to work on the embedded stack.',
    );
  }
  if (endpoint) return {};
  return {
    S3_ENDPOINT: stack.storage,
    S3_ACCESS_KEY: stack.storageAccessKey,
    S3_SECRET_KEY: stack.storageSecretKey,
  };
}

function stackFileOf(env: Environment, defaultDataDir: string): string {
  return join(env['ATELIER_DATA_DIR'] || defaultDataDir, 'stack.json');
}

/**
 * A killed stack could not remove its file, and another program may have its ports by now. Where the process can't be
 * seen, as from another container, its addresses can't be reached either: they are those of the loopback interface.
 *
 * @returns null if the file exists but has other content
 */
async function readStack<Part extends z.ZodType>(
  { env, defaultDataDir }: { env: Environment; defaultDataDir: string },
  { variable, Part }: { variable: string; Part: Part },
): Promise<z.output<Part> | null> {
  const file = stackFileOf(env, defaultDataDir);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(
      `${variable} is not set and no embedded stack is running (there is no ${file}).`,
      { cause },
    );
  });
  const content = parsed(text);
  const recorder = Recorder.safeParse(content);
  if (recorder.success && !isAlive(recorder.data.pid)) {
    throw new OperatorError(
      `${variable} is not set and no embedded stack is running (${file} is of process ${recorder.data.pid}, which has ended). ` +
        `Start the stack, or set ${variable}.`,
    );
  }
  const stack = Part.safeParse(content);
  return stack.success ? stack.data : null;
}

/** Whether a process of this user runs. Another user's has the id of one that ended: only its own user could read its file. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
