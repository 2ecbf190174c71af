import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import { isAlive } from '../is-alive.ts';
import type { StackFile } from './stack-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One file for each running stack of the user, named by its process, with the path of its stack file. */
const directoryOf = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'atelier', 'stacks');

/** Lets other programs of the user find a stack, whatever its data directory. @returns how to end that */
export function registerStack(stackFile: string, env: Environment): () => void {
  const entry = join(directoryOf(env), String(process.pid));
  try {
    mkdirSync(directoryOf(env), { recursive: true, mode: 0o700 });
    removeEnded(directoryOf(env));
    writeFileAtomically(entry, stackFile);
  } catch {
    // A home that can't be written: the stack works, and is found by its data directory only.
  }
  return () => rmSync(entry, { force: true });
}

/** @returns the stack files of the user's running stacks, the latest first */
export function runningStackFiles(env: Environment): string[] {
  const directory = directoryOf(env);
  return entriesOf(directory)
    .filter(isRunning)
    .map((name) => join(directory, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .map((path) => readFileSync(path, 'utf8'));
}

/** A killed stack could not remove its file. */
function removeEnded(directory: string): void {
  for (const name of entriesOf(directory)) {
    if (!isRunning(name)) rmSync(join(directory, name), { force: true });
  }
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

const isRunning = (entry: string): boolean => isAlive(Number(entry));

/** @returns what a stack file says; null without a file, or if its stack was killed and could not remove it */
export function readRunningStack(path: string): StackFile | null {
  try {
    // Written by writeStackFile.
    const stack = JSON.parse(readFileSync(path, 'utf8')) as StackFile;
    return isAlive(stack.pid) ? stack : null;
  } catch {
    return null;
  }
}
