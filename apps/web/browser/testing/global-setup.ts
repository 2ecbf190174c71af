import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startStack, type Stack } from './stack.ts';
import { pagesMissed } from './visits.ts';

declare module 'vitest' {
  interface ProvidedContext {
    stack: Stack;
    /** Where the tests write down which pages they have been at. */
    visitsFile: string;
  }
}

/** One product for all files; each test makes accounts of its own. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const { stack, stop } = await startStack();
  const directory = mkdtempSync(join(tmpdir(), 'atelier-visits-'));
  const visitsFile = join(directory, 'visits.jsonl');
  provide('stack', stack);
  provide('visitsFile', visitsFile);
  return async () => {
    await stop();
    const missed = pagesMissed(visitsFile);
    rmSync(directory, { recursive: true });
    if (missed.length === 0) return;
    throw new Error(`Journeys that never came to their page: ${missed.join(', ')}`);
  };
}
