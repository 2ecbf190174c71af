import { MockFailure } from '../failure.ts';
import type { Call, State } from './model.ts';
import { idsOf, isRecord, textOf, type Stored } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Whether an API key is neither revoked nor expired. */
export function isLive(state: State, { fields }: Stored): boolean {
  const { expiresAt, revokedAt } = fields;
  if (revokedAt !== null) return false;
  return typeof expiresAt !== 'string' || Date.parse(expiresAt) > state.nowMs();
}

/** Which API keys an organization accepts. */
export function policyOf({ hidden }: Stored): { personalKeys: unknown; maxLifetimeDays: unknown } {
  const { personalKeys = 'ALLOWED', maxLifetimeDays = null } = isRecord(hidden['keyPolicy'])
    ? hidden['keyPolicy']
    : {};
  return { personalKeys, maxLifetimeDays };
}

/** Whether the key policy of an organization accepts an API key. */
export function isAccepted(state: State, { fields }: Stored, organizationId: unknown): boolean {
  const organization = state.store.find('organization', organizationId);
  if (!organization) return false;
  const { personalKeys, maxLifetimeDays } = policyOf(organization);
  if (fields['kind'] === 'PERSONAL' && personalKeys === 'REFUSED') return false;
  if (typeof maxLifetimeDays !== 'number') return true;
  return Date.parse(textOf(fields, 'createdAt')) + maxLifetimeDays * dayMs > state.nowMs();
}

/** Whether an API key reaches an organization. */
export function reaches({ fields }: Stored, organizationId: string | undefined): boolean {
  return organizationId !== undefined && idsOf(fields, 'organizationIds').includes(organizationId);
}

/** Takes an organization from what an API key reaches. */
export function exclude({ fields }: Stored, organizationId: string): void {
  fields['organizationIds'] = idsOf(fields, 'organizationIds').filter(
    (id) => id !== organizationId,
  );
}

/** The organization of a request that names none: the only one of the key, else the personal one if the key has it. */
export function defaultOrganizationOf(key: Stored, caller: Stored): string | undefined {
  const [only, ...others] = idsOf(key.fields, 'organizationIds');
  if (others.length === 0) return only;
  const personal = textOf(caller.fields, 'personalOrganizationId');
  return reaches(key, personal) ? personal : undefined;
}

/** @throws MockFailure `scope_missing` for an API key without the scope */
export function expectScope({ key }: Pick<Call, 'key'>, scope: string): void {
  if (!key || idsOf(key.fields, 'scopes').includes(scope)) return;
  throw new MockFailure('scope_missing', {
    message: `The API key lacks the scope ${scope}`,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/** Revokes every API key of an account that works. */
export function revokeKeys(state: State, userId: string): void {
  for (const key of state.store.all('api_key')) {
    if (key.ownerId === userId && isLive(state, key)) key.fields['revokedAt'] = state.now();
  }
}
