import type { State } from '../state/model.ts';
import type { Stored } from '../state/store.ts';

interface NewOrganization {
  readonly name: string;
  readonly type: 'PERSONAL' | 'TEAM';
  readonly owner: Stored;
}

/** Creates an organization with its owner as its only member. */
export function addOrganization(state: State, { name, type, owner }: NewOrganization): Stored {
  const id = state.newId();
  const now = state.now();
  const organization = state.store.add({
    kind: 'organization',
    id,
    organizationId: id,
    ownerId: owner.id,
    fields: {
      name,
      slug: slugOf(state, name),
      type,
      ownerId: owner.id,
      planCode: 'FREE',
      publicLinks: type === 'TEAM' ? 'OFF_FOR_NEW' : 'ON_FOR_NEW',
      mailContent: 'TITLES',
      secondFactorRequiredFrom: null,
      createdAt: now,
      updatedAt: now,
    },
  });
  addMember(state, { organizationId: id, user: owner, role: 'OWNER' });
  return organization;
}

function slugOf({ store }: State, name: string): string {
  const slug =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'organization';
  const taken = new Set(store.all('organization').map(({ fields }) => fields['slug']));
  if (!taken.has(slug)) return slug;
  let count = 2;
  while (taken.has(`${slug}-${count}`)) count += 1;
  return `${slug}-${count}`;
}

export function addMember(
  state: State,
  { organizationId, user, role }: { organizationId: string; user: Stored; role: unknown },
): Stored {
  return state.store.add({
    kind: 'member',
    id: state.newId(),
    organizationId,
    ownerId: user.id,
    fields: { userId: user.id, role, status: 'ACTIVE', joinedAt: state.now() },
  });
}

/** Returns every record of a kind in an organization. */
export function allIn({ store }: State, kind: string, organizationId: unknown): Stored[] {
  return store.all(kind).filter((one) => one.organizationId === organizationId);
}

/** Tells whether a membership is a service account's, which neither counts nor is managed as a member. */
export function isService({ hidden }: Pick<Stored, 'hidden'>): boolean {
  return hidden['isService'] === true;
}
