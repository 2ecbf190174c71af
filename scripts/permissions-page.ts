import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  operations,
  permissionMatrix,
  roles,
  type Access,
  type Permission,
  type Target,
} from '../packages/contract/src/index.ts';

// Writes the page that people read of the permission matrix; with --check, only compares.
const page = join(import.meta.dirname, '..', 'docs', 'reference', 'permissions.md');
const text = `# Who may do what

Made from the contract by \`node scripts/permissions-page.ts\`. *any* reaches every record of the
organization, *own* those that the caller created.

## Rights of roles

${table(['Right', ...roles], rightRows())}
## Access of operations

${table(['Operation', 'Address', 'Access'], operationRows())}
## Ids in requests

What each id names, and the right that its operation needs on that record. A record of another organization is
like one that does not exist: it is answered with the error in the last column. A record within reach of the
role only where it is the caller's own is answered with \`permission_denied\` where it is not.

${table(['Operation', 'Id', 'Names', 'Right on it', 'Absent'], targetRows())}`;

if (!process.argv.includes('--check')) {
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, text);
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/reference/permissions.md is old: node scripts/permissions-page.ts');
  process.exitCode = 1;
}

function rightRows(): string[][] {
  return Object.entries(permissionMatrix).map(([right, reaches]) => [
    `\`${right}\``,
    ...roles.map((role) => (reaches[role] === 'none' ? '' : reaches[role])),
  ]);
}

function operationRows(): string[][] {
  return operations.map(({ id, endpoint: { method, path, metadata } }) => [
    `\`${id}\``,
    `\`${method} ${path}\``,
    accessText(metadata.access),
  ]);
}

function targetRows(): string[][] {
  return operations.flatMap(({ id, endpoint: { metadata } }) =>
    Object.entries(metadata.targets).map(([field, target]) => [
      `\`${id}\``,
      `\`${field}\``,
      ...targetCells(target),
    ]),
  );
}

function targetCells(target: Target): string[] {
  switch (target.kind) {
    case 'record':
      return [target.resource, `\`${target.permission}\``, `\`${target.absent}\``];
    case 'own':
      return [target.resource, "the caller's alone", `\`${target.absent}\``];
    case 'filter':
      return [target.resource, 'narrows the list', ''];
  }
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'anybody';
    case 'user':
      return 'verified account';
    case 'administrator':
      return 'platform administrator; OWNER and ADMIN within their team';
    case 'member':
      return `\`${access.permission satisfies Permission}\` (organization of the ${access.organizationFrom})`;
  }
}

function table(header: string[], rows: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
