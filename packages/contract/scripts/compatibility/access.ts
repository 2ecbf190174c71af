import type { OpenApi, Operation } from './document.ts';

interface Documents {
  readonly before: OpenApi;
  readonly after: OpenApi;
}

interface Pair {
  readonly name: string;
  readonly known: Operation;
  readonly present: Operation;
}

const reaches = ['none', 'own', 'any'];

/** Returns the changes of an access that exclude users or records. */
export function breaksOfAccess(documents: Documents, { name, known, present }: Pair): string[] {
  const was = known['x-access'] ?? 'public';
  const is = present['x-access'] ?? 'public';
  const [wasKind = '', wasPermission = '', wasFrom] = was.split(' ');
  const [isKind = '', isPermission = '', isFrom] = is.split(' ');
  const narrowed = `${name}: access ${was} became ${is}`;
  if (isKind === 'public') return [];
  if (wasKind !== isKind) {
    // Members and administrators have an account.
    return isKind === 'user' && wasKind !== 'public' ? [] : [narrowed];
  }
  if (isKind !== 'member') return [];
  if (wasFrom !== isFrom) return [narrowed];
  const before = reachesOf(documents.before, wasPermission);
  const after = reachesOf(documents.after, isPermission);
  return [...before]
    .filter(([role, reach]) => reaches.indexOf(after.get(role) ?? 'none') < reaches.indexOf(reach))
    .map(
      ([role, reach]) =>
        `${name}: ${role} may reach ${after.get(role) ?? 'none'} instead of ${reach}`,
    );
}

/** Returns a break if the operation took requests without credentials and no longer does. */
export function breaksOfSecurity(
  { before, after }: Documents,
  { name, known, present }: Pair,
): string[] {
  const wasOpen = isOpen(known.security ?? before.security);
  return wasOpen && !isOpen(present.security ?? after.security)
    ? [`${name}: needs credentials now`]
    : [];
}

/** An empty requirement makes credentials optional. */
function isOpen(requirements: readonly object[] = []): boolean {
  return requirements.length === 0 || requirements.some((one) => Object.keys(one).length === 0);
}

function reachesOf(document: OpenApi, permission: string): Map<string, string> {
  const marks = document['x-permissions']?.[permission] ?? '';
  return new Map(
    marks
      .split(' ')
      .filter(Boolean)
      .map((mark) => {
        const [role = '', reach = ''] = mark.split(':');
        return [role, reach] as const;
      }),
  );
}
