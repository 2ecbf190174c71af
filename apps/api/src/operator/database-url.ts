import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../workflows/operator-error.ts';

const StackFile = z.object({ databaseUrl: z.url({ protocol: /^postgres(ql)?$/ }) });

/**
 * Which database an operator means: the configured one or, without that, the running embedded stack's.
 *
 * @param env - environment variables; an empty one counts as absent
 * @param defaultDataDir - where the embedded stack keeps its files unless told otherwise
 * @throws OperatorError when there is neither
 */
export async function databaseUrlOf(
  env: Readonly<Record<string, string | undefined>>,
  defaultDataDir: string,
): Promise<string> {
  if (env['DATABASE_URL']) return env['DATABASE_URL'];
  const file = join(env['ATELIER_DATA_DIR'] || defaultDataDir, 'stack.json');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(
      `DATABASE_URL is not set and no embedded stack is running (there is no ${file}).`,
      { cause },
    );
  });
  const stack = StackFile.safeParse(parsed(text));
  if (!stack.success) throw new OperatorError(`${file} names no database.`);
  return stack.data.databaseUrl;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
