import { permissionMatrix, roles } from '../../src/access.ts';
import type { Access, Permission } from '../../src/access.ts';
import { deprecationText } from '../../src/deprecation.ts';
import type { EndpointMetadata, RateLimit } from '../../src/endpoint.ts';

/** What the whole document begins with. */
export const introduction = `Accounts, organizations, versioned assets, projects and tasks over HTTP and JSON.

**Envelope.** A success is \`{ message, data }\`; \`data\` is always an object, a list is \`{ items, pagination }\`. An error is \`{ message, code, requestId, errors? }\`; branch on \`code\`, which is stable.

**Request id.** Every answer carries an \`x-request-id\`, yours where you send a sane one.

**Authentication.** \`Authorization: Bearer <accessToken>\`. Access tokens live 15 minutes, refresh tokens 12 hours and work once.

**Organization.** The header \`x-organization-id\` selects one; without it, the caller's personal organization. Unless its access says otherwise, an operation acts in that one. Where a role says (own), it reaches only its own records.

**Idempotency.** Operations that take an \`Idempotency-Key\` answer a repeated call with the first answer for 24 hours.

**Concurrency.** Single resources carry an \`ETag\`; send it back as \`If-Match\` to change only what you have seen.

**Limits.** 600 calls per account, or per address without one, in a minute, where an operation names no other. \`RateLimit\` and \`RateLimit-Policy\` tell what is left; a 429 says in \`Retry-After\` how long to wait, in seconds.

**Deprecation.** An operation that is going to end says so in \`Deprecation\`, and in \`Sunset\` from when it may be gone.`;

const rateLimitTexts: Record<RateLimit, string | null> = {
  login: '10 failures per account and 50 per address in 15 minutes',
  register: '5 calls per address and per mailbox in an hour',
  'password-reset': '5 calls per address and per mailbox in an hour',
  refresh: '150 calls per address in 5 minutes',
  invite: '50 invitations per account in an hour',
  // Said once, in the introduction.
  default: null,
  none: null,
};

/** Who may call, as a sentence. */
function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'anyone, without a token';
    case 'user':
      return 'any verified account';
    case 'administrator':
      return 'platform administrators; owners and admins within the team that the header selects';
    case 'member':
      return `\`${access.permission}\`${access.organizationFrom === 'path' ? ' in the organization of the path' : ''}: ${rolesWith(access.permission)}`;
  }
}

function rolesWith(permission: Permission): string {
  const reaches = permissionMatrix[permission];
  if (roles.every((role) => reaches[role] === 'any')) return 'every role';
  return roles
    .filter((role) => reaches[role] !== 'none')
    .map((role) => (reaches[role] === 'own' ? `${role} (own)` : role))
    .join(', ');
}

/** What a reader of an operation has to know past its summary. */
export function operationText(description: string, metadata: EndpointMetadata): string {
  const limit = rateLimitTexts[metadata.rateLimit];
  return [
    metadata.deprecated && `**Deprecated:** ${deprecationText(metadata.deprecated)}`,
    description,
    `**Access:** ${accessText(metadata.access)}.`,
    limit && `**Limit:** ${limit}.`,
    metadata.activities.length > 0 &&
      `**Recorded as:** ${metadata.activities.map((action) => `\`${action}\``).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}
