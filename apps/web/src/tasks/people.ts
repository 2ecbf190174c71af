import type { Person } from '@atelier/client';
import { api } from '../session/api.ts';
import { useOrganization } from '../session/account.ts';
import { useComposedQuery } from '../session/queries.ts';

/** Returns the people who can be assigned and mentioned: active members by name; empty while loading. */
export function usePeople(): readonly Person[] {
  const id = useOrganization()?.id;
  const { data } = useComposedQuery({
    key: ['organizations', 'people', id],
    async read(options) {
      const people: Person[] = [];
      if (id === undefined) return people;
      const members = api.organizations.listMembers.iterate(
        { params: { id }, query: { status: 'ACTIVE', sort: 'name', limit: 100 } },
        options,
      );
      for await (const { user } of members) people.push(user);
      return people;
    },
    enabled: id !== undefined,
  });
  return data ?? none;
}

const none: readonly Person[] = [];
