import { appendFileSync } from 'node:fs';
import type { OperationId } from '@atelier/contract';
import { inject } from 'vitest';

const noted = new Set<string>();

/** Records that an operation responded with a status, for the check at the end of the whole run. */
export function recordStatus(id: OperationId, status: number): void {
  const line = `${id} ${status}\n`;
  const { statusesFile } = inject('services');
  if (noted.has(statusesFile + line)) return;
  noted.add(statusesFile + line);
  // One short line each: an append of that size is atomic between processes.
  appendFileSync(statusesFile, line);
}
