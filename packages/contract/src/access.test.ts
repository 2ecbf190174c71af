import { expect, test } from 'vitest';
import { operations, permissionMatrix, roles } from './index.ts';
import type { Permission } from './index.ts';

/** The rights as people agreed on them; columns are OWNER, ADMIN, MEMBER and VIEWER. */
const agreed = `
  organization:read     any any any  any
  organization:rename   any any none none
  organization:delete   any none none none
  organization:secure   any none none none
  member:read           any any any  any
  member:manage         any any none none
  member:remove         any any own  own
  member:grant-owner    any none none none
  invitation:manage     any any none none
  collection:read       any any any  any
  collection:favorite   any any any  any
  collection:create     any any any  none
  collection:edit       any any own  none
  collection:delete     any any own  none
  asset:read            any any any  any
  asset:favorite        any any any  any
  asset:create          any any any  none
  asset:publish         any any any  none
  asset:edit            any any own  none
  asset:delete          any any own  none
  asset:review          any any any  none
  upload:abort          any any own  none
  project:read          any any any  any
  project:create        any any any  none
  project:edit          any any any  none
  project:delete        any any own  none
  task:read             any any any  any
  task:create           any any any  none
  task:edit             any any any  none
  task:delete           any any any  none
  label:read            any any any  any
  label:create          any any any  none
  label:edit            any any any  none
  label:delete          any any own  none
  comment:read          any any any  any
  comment:create        any any any  none
  comment:edit          own own own  none
  comment:delete        any any own  none
  asset-comment:read    any any any  any
  asset-comment:create  any any any  none
  asset-comment:edit    own own own  none
  asset-comment:delete  any any own  none
  asset-comment:resolve any any any  none
  dashboard:read        any any any  any
  search:use            any any any  any
  webhook:manage        any any none none
  share:create          any any any  none
  share:read            any any any  none
  share:manage          any any own  none
  service-account:manage any any none none
  approval:decide       any any own  own
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

test.each(agreed)('%s is granted as agreed', (permission, ...reaches) => {
  const row = permissionMatrix[permission as Permission];
  expect(roles.map((role) => row[role])).toEqual(reaches);
});

test('every row of the matrix is agreed on', () => {
  expect(
    Object.keys(permissionMatrix),
    'give each permission a line in `agreed` in packages/contract/src/access.test.ts, in the same order',
  ).toEqual(agreed.map(([permission]) => permission));
});

test('a weaker role never reaches further than a stronger one', () => {
  const breadth = { none: 0, own: 1, any: 2 };
  for (const row of Object.values(permissionMatrix)) {
    const reaches = roles.map((role) => breadth[row[role]]);
    expect(reaches).toEqual(reaches.toSorted((a, b) => b - a));
  }
});

/** Rights that no route asks for by itself: policies ask for them. */
const withoutRoute: readonly Permission[] = ['member:grant-owner'];

test('every other right is asked for by a route', () => {
  const asked = new Set(
    operations.flatMap(({ endpoint: { metadata } }) =>
      metadata.access.kind === 'member' ? [metadata.access.permission] : [],
    ),
  );
  const unused = Object.keys(permissionMatrix).filter((right) => !asked.has(right as Permission));
  expect(
    unused,
    'require each permission by memberAccess(…) of an operation, or add it to withoutRoute in packages/contract/src/access.test.ts',
  ).toEqual(withoutRoute);
});
