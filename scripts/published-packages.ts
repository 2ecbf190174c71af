import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
}

/** Lists the published packages by name, with their directories below `root`. */
export function publishedPackages(root: string): Map<string, string> {
  return new Map(
    globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
      const { name, private: isPrivate } = JSON.parse(
        readFileSync(join(root, file), 'utf8'),
      ) as Manifest;
      return isPrivate ? [] : [[name, dirname(file)] as const];
    }),
  );
}
