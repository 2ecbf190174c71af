import type { QueryKey } from '@tanstack/react-query';

/**
 * The queries whose responses are kept, by group and name. Only what people read: nothing about keys, sessions,
 * second factors, exports, webhooks or invitations.
 */
const kept: Readonly<Record<string, readonly string[]>> = {
  auth: ['user'],
  organizations: ['list', 'get', 'listMembers', 'people'],
  projects: ['list', 'get', 'all'],
  tasks: ['list', 'listInProject', 'get', 'board', 'mine'],
  comments: ['list'],
  taskAssets: ['list'],
  assetComments: ['list'],
  labels: ['list', 'get'],
  collections: ['list', 'get', 'choice'],
  assets: ['list', 'listInCollection', 'get'],
  dashboard: ['summary'],
  notifications: ['list', 'count', 'following'],
};

/** Tells whether the response of a query is kept. */
export function isKept([, group, name]: QueryKey): boolean {
  return typeof group === 'string' && (kept[group]?.includes(String(name)) ?? false);
}

/** Returns the organization of a query by the hash of its key; undefined for the personal one and for accounts. */
export function organizationOf(hash: string): string | undefined {
  return /"organizationId":"([^"]+)"/.exec(hash)?.[1];
}

/** Serializes a query without the links that open a file to anyone who has them. */
export function serialized(queryKey: QueryKey, data: unknown): string {
  return JSON.stringify({ queryKey, data }, (_, value: unknown) =>
    typeof value === 'string' && value.includes('X-Amz-Signature=') ? null : value,
  );
}

export const limits = {
  /** Responses in this browser. */
  count: 300,
  /** Characters of a response, and of all of them. */
  size: 400_000,
  totalSize: 6_000_000,
  ageMs: 7 * 24 * 60 * 60 * 1000,
} as const;

interface Sized {
  readonly fetchedAtMs: number;
  readonly size: number;
}

/** Returns the hashes of the oldest responses, without which the others are within the limits. */
export function excess(index: ReadonlyMap<string, Sized>): readonly string[] {
  const newestFirst = [...index].toSorted(([, a], [, b]) => b.fetchedAtMs - a.fetchedAtMs);
  let total = 0;
  return newestFirst.flatMap(([hash, { size }], position) => {
    total += size;
    return position >= limits.count || total > limits.totalSize ? hash : [];
  });
}
