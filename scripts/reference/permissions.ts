import {
  operations,
  permissionMatrix,
  roles,
  type Access,
  type ConfirmationNeed,
  type KeyUse,
  type Permission,
  type Target,
} from '../../packages/contract/src/index.ts';
import { markdownTable } from './markdown.ts';

/** Renders the page of the permission matrix, for people. */
export function permissionsPage(): string {
  return `# Permissions

\`pnpm reference\` writes this page from the contract.

## Permissions of roles

*any*: every record of the organization. *own*: the records that you created.

${markdownTable(['Permission', ...roles], permissionRows())}
## Access to operations

API keys need the scope of the last column. *confirmed*: the operation asks for a confirmation within the last 10 minutes.

${markdownTable(['Operation', 'Method and path', 'Access', 'API keys'], operationRows())}
## Ids in requests

What each id refers to, and the permission that its operation needs on that record. The last column is the error when
the record doesn't exist or belongs to another organization. If your role reaches only your own records and this one
isn't yours, the error is \`permission_denied\`.

${markdownTable(['Operation', 'Id', 'Refers to', 'Permission on it', 'Absent'], targetRows())}`;
}

function permissionRows(): string[][] {
  return Object.entries(permissionMatrix).map(([permission, reaches]) => [
    `\`${permission}\``,
    ...roles.map((role) => (reaches[role] === 'none' ? '' : reaches[role])),
  ]);
}

function operationRows(): string[][] {
  return operations.map(({ id, endpoint: { method, path, metadata } }) => [
    `\`${id}\``,
    `\`${method} ${path}\``,
    `${accessText(metadata.access)}${confirmationText(metadata.confirmation)}`,
    keysText(metadata.keys),
  ]);
}

function confirmationText(confirmation: ConfirmationNeed | null): string {
  switch (confirmation) {
    case null:
      return '';
    case true:
      return ', confirmed';
    case 'for-ownership':
      return '; confirmed for ownership';
    case 'as-platform-administrator':
      return '; confirmed as a platform administrator';
  }
}

function keysText(keys: KeyUse): string {
  switch (keys) {
    case null:
      return '';
    case 'any':
    case 'refused':
      return keys;
    default:
      return `\`${keys}\``;
  }
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
      return [target.resource, 'only your own', `\`${target.absent}\``];
    case 'shared':
      return [target.resource, 'what the share shows', `\`${target.absent}\``];
    case 'membership':
      return [target.resource, 'any role', `\`${target.absent}\``];
    case 'filter':
      return [target.resource, 'filters the list', ''];
  }
}

function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'anonymous';
    case 'user':
      return 'verified account';
    case 'share':
      return 'visitor of a share, with a ticket';
    case 'administrator':
      return 'platform administrator; OWNER and ADMIN within their team';
    case 'member':
      return `\`${access.permission satisfies Permission}\` (organization of the ${access.organizationFrom})`;
  }
}
