import type { TestProject } from 'vitest/node';
import { startStack, type Stack } from './stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    stack: Stack;
  }
}

/** One product for all files; each test makes accounts of its own. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const { stack, stop } = await startStack();
  provide('stack', stack);
  return stop;
}
