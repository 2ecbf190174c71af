import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackProgram } from './packed-program.ts';
import type { Step } from './run-step.ts';

const consumer = join(import.meta.dirname, '..', 'packages', 'mcp', 'consumer', 'tools.mjs');

/** Steps that start the packed program for assistants. */
export interface AssistantSteps {
  readonly alone: readonly Step[];
  /** @param service - address, email and password of an account */
  against(service: readonly string[]): Step[];
}

/**
 * Unpacks the program for assistants.
 *
 * @param tarball - its path
 * @param directory - an empty one outside of the repository
 * @returns undefined if npm can't install the dependencies here
 */
export function assistantSteps(tarball: string, directory: string): AssistantSteps | undefined {
  const program = unpackProgram('mcp', { '@atelier/mcp': tarball }, directory);
  if (program === undefined) return undefined;
  // Beside the dependencies of the program, of which it uses the protocol's client.
  const script = join(directory, 'tools.mjs');
  copyFileSync(consumer, script);
  return {
    alone: [
      {
        name: 'program for assistants: its version',
        command: [process.execPath, program, '--version'],
      },
    ],
    against: (service) => [
      {
        name: 'program for assistants: tools of the product',
        command: [process.execPath, script, program, ...service],
      },
    ],
  };
}
