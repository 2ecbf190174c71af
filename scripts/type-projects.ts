import { globSync } from 'node:fs';

/** Lists the projects whose types are checked, as paths from the root. */
export function typeProjects(root: string): string[] {
  return globSync(
    [
      'scripts/tsconfig.json',
      '{apps,packages}/*/tsconfig*.json',
      '{apps,packages}/*/*/tsconfig.json',
      'tools/*/tsconfig.json',
    ],
    { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] },
  ).toSorted();
}
