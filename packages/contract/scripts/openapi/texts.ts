import { permissionMatrix, roles } from '../../src/access.ts';
import type { Access, Permission } from '../../src/access.ts';
import { deprecationText } from '../../src/deprecation.ts';
import type { EndpointMetadata } from '../../src/endpoint.ts';
import type { ConfirmationNeed, RateLimit } from '../../src/endpoint-spec.ts';

/** The introduction of the document. */
export const introduction = `Accounts, organizations, versioned assets, projects and tasks over HTTP and JSON.

**Envelope.** A success is \`{ message, data }\`; \`data\` is always an object, a list is \`{ items, pagination }\`. An error is \`{ message, code, requestId, errors? }\`; branch on \`code\`, which is stable.

**Request id.** Every response has an \`x-request-id\`; your own is kept if it is valid.

**Authentication.** \`Authorization: Bearer <accessToken>\`. Access tokens live 15 minutes, refresh tokens 12 hours and work once.

**Organization.** The header \`x-organization-id\` selects the organization; the default is the caller's personal one. An operation acts in it unless its access says otherwise. A role with (own) may access only its own records.

**Idempotency.** Operations that take an \`Idempotency-Key\` respond to a repeated request with the first response for 24 hours.

**Concurrency.** Single resources have an \`ETag\`; send it as \`If-Match\` to change only the state that you read.

**Limits.** 600 requests a minute per account, or per IP address without an account, unless an operation says otherwise. \`RateLimit\` and \`RateLimit-Policy\` say what is left; \`Retry-After\` of a 429 has the seconds to wait.

**Deprecation.** A deprecated operation sends \`Deprecation\`, and \`Sunset\` with the time from which it may be removed.`;

const rateLimitTexts: Record<RateLimit, string | null> = {
  login: '10 failures per account and 50 per IP address in 15 minutes',
  'passkey-login': '50 failures per IP address in 15 minutes',
  register: '5 requests per IP address and per email address in an hour',
  'email-change': '5 requests per account and per new email address in an hour',
  'password-reset': '5 requests per IP address and per email address in an hour',
  refresh: '150 requests per IP address in 5 minutes',
  confirm: '10 failures per account in 15 minutes',
  'leaked-key': '30 requests per IP address in a minute',
  invite: '50 invitations per account in an hour',
  search: '60 requests per caller in a minute',
  suggest: '240 requests per caller in a minute',
  'search-rebuild': 'one request per organization in an hour',
  share: '300 requests per ticket in a minute',
  'share-comment': '30 comments per ticket and 200 per share in an hour',
  // In the introduction.
  default: null,
  none: null,
};

/** Returns the access as a sentence. */
function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'anyone, without a token';
    case 'user':
      return 'any verified account';
    case 'share':
      return 'visitors of a share, with a ticket';
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

const confirmed = 'confirmed within the last 10 minutes';

/** The end of a sentence about access: when an operation needs a recently confirmed session. */
function confirmationText(confirmation: ConfirmationNeed | null): string {
  switch (confirmation) {
    case null:
      return '';
    case true:
      return `, ${confirmed}`;
    case 'for-ownership':
      return `; ${confirmed} to give or take the role of an owner`;
    case 'as-platform-administrator':
      return `; platform administrators ${confirmed}, unless they lead the team`;
  }
}

/** Returns the description of an operation: its own text, access, limit and activities. */
export function operationText(description: string, metadata: EndpointMetadata): string {
  const limit = rateLimitTexts[metadata.rateLimit];
  return [
    metadata.deprecated && `**Deprecated:** ${deprecationText(metadata.deprecated)}`,
    description,
    `**Access:** ${accessText(metadata.access)}${confirmationText(metadata.confirmation)}.`,
    limit && `**Limit:** ${limit}.`,
    metadata.activities.length > 0 &&
      `**Recorded as:** ${metadata.activities.map((action) => `\`${action}\``).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}
