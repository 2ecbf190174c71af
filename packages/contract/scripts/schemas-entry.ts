import { globSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v4';

/** Writes the entry `/schemas`: every named schema of the contract, without its operations. */
export async function schemasEntry(sources: string): Promise<string> {
  const files = globSync('*.ts', { cwd: sources, exclude: ['*.test.ts', 'index.ts'] }).toSorted();
  const known = new Set<unknown>();
  const lines: string[] = [];
  for (const file of files) {
    const exported = (await import(join(sources, file))) as Record<string, unknown>;
    const names = Object.entries(exported).flatMap(([name, value]) => {
      if (!(value instanceof z.ZodType) || value.meta()?.id === undefined) return [];
      // Another file exports it again.
      if (known.has(value)) return [];
      known.add(value);
      return [name];
    });
    if (names.length === 0) continue;
    lines.push('export {', ...names.toSorted().map((name) => `  ${name},`), `} from '../${file}';`);
  }
  const note =
    '// Made from the contract by scripts/generate.ts; change its schemas, not this file.';
  return `${[note, ...lines].join('\n')}\n`;
}
