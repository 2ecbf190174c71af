import type { MemberStatus, Person } from '@atelier/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { api } from '../session/api.ts';
import { useOrganization } from '../session/account.ts';
import { useComposedQuery } from '../session/queries.ts';

/** Returns the people who can be assigned and mentioned: active members by name; empty while loading. */
export function usePeople(): readonly Person[] {
  return useMembers('ACTIVE') ?? none;
}

/** Returns what tells whether a person can be assigned. While the members aren't known, each may be one. */
export function useIsAssignable(): (person: Pick<Person, 'id'>) => boolean {
  const members = useMembers('ACTIVE');
  return ({ id }) => members?.some((member) => member.id === id) ?? true;
}

/** Returns the members with a status, or with any, by name; undefined while loading. */
export function useMembers(status?: MemberStatus): readonly Person[] | undefined {
  return useMembersQuery(status).data;
}

/** Queries the members with a status, or with any, by name. */
export function useMembersQuery(status?: MemberStatus): UseQueryResult<readonly Person[]> {
  const id = useOrganization()?.id;
  return useComposedQuery({
    key: ['organizations', 'people', id, status ?? 'any'],
    async read(options) {
      const people: Person[] = [];
      if (id === undefined) return people;
      const members = api.organizations.listMembers.iterate(
        { params: { id }, query: { ...(status && { status }), sort: 'name', limit: 100 } },
        options,
      );
      for await (const { user } of members) people.push(user);
      return people;
    },
    enabled: id !== undefined,
  });
}

const none: readonly Person[] = [];
