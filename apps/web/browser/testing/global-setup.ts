import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startStack, type Stack } from './stack.ts';
import { missedPages } from './visits.ts';

declare module 'vitest' {
  interface ProvidedContext {
    stack: Stack;
    /** File in which the tests record the pages that they visit. */
    visitsFile: string;
  }
}

/** Starts one product for all files; each test creates its own accounts. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const { stack, stop } = await startStack();
  const directory = mkdtempSync(join(tmpdir(), 'atelier-visits-'));
  const visitsFile = join(directory, 'visits.jsonl');
  provide('stack', stack);
  provide('visitsFile', visitsFile);
  return async () => {
    await stop();
    const missed = missedPages(visitsFile);
    rmSync(directory, { recursive: true });
    if (missed.length === 0) return;
    throw new Error(`Journeys that never visited their page: ${missed.join(', ')}`);
  };
}
