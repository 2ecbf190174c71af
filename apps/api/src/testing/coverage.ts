import { appendFileSync } from 'node:fs';
import type { OperationId } from '@atelier/contract';
import { inject } from 'vitest';

const noted = new Set<string>();

/** Records that an operation responded with a status, for the check at the end of the whole run. */
export function recordStatus(id: OperationId, status: number): void {
  const line = `${id} ${status}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  // One short line each: an append of that size is atomic between processes.
  appendFileSync(inject('services').statusesFile, line);
}
