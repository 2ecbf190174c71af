import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';

/** A running stack as other programs see it; null for a service that is not embedded. */
export interface StackFile {
  api: string;
  app: string;
  mail: string | null;
  storage: string;
  storageAccessKey: string;
  storageSecretKey: string;
  databaseUrl: string;
  pid: number;
  demo: { email: string; password: string } | null;
}

/** Returns the absolute path of the stack file in a data directory. */
export const stackFileIn = (dataDir: string): string => join(resolve(dataDir), 'stack.json');

/** Announces that the stack is ready, and its addresses; only the owner can read the file. */
export function writeStackFile(dataDir: string, stack: StackFile): void {
  writeFileAtomically(stackFileIn(dataDir), `${JSON.stringify(stack, null, 2)}\n`);
}

export function removeStackFile(dataDir: string): void {
  rmSync(stackFileIn(dataDir), { force: true });
}
