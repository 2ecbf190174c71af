import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { leftOut } from '../mock-journeys.ts';
import { startMockStack } from './mock-stack.ts';

/** Starts the mock and the app for all files, and prints the journeys that don't run against it. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  for (const { file, title, reason } of leftOut) {
    console.log(`left out: ${file}${title === null ? '' : `, "${title}"`}: ${reason}`);
  }
  const { stack, stop } = await startMockStack();
  const directory = mkdtempSync(join(tmpdir(), 'atelier-visits-'));
  provide('stack', stack);
  provide('visitsFile', join(directory, 'visits.jsonl'));
  return async () => {
    await stop();
    rmSync(directory, { recursive: true });
  };
}
