import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';

/** What other programs need to know about a running stack; null for what isn't ours. */
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

const pathIn = (dataDir: string): string => join(dataDir, 'stack.json');

/** Says that everything answers, and where; only the owner can read it. */
export function writeStackFile(dataDir: string, stack: StackFile): void {
  writeFileAtomically(pathIn(dataDir), `${JSON.stringify(stack, null, 2)}\n`);
}

export function removeStackFile(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}
