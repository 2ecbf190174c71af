import type { Permission } from './access.ts';
import type { ResourceType } from './activity.ts';
import type { ErrorCode } from './errors.ts';
import type { IdSchema } from './primitives.ts';

/** What an id of a request identifies, and the permission that the operation needs on it. */
export type Target =
  | {
      /** A record of the selected organization, on which the caller's role needs the permission. */
      readonly kind: 'record';
      readonly resource: ResourceType;
      readonly permission: Permission;
      /** The error for a record that doesn't exist or belongs to another organization. */
      readonly absent: ErrorCode;
    }
  | {
      /** The caller's own record; that of another user counts as absent. */
      readonly kind: 'own';
      readonly resource: ResourceType | 'session' | 'passkey' | 'export' | 'notification';
      readonly absent: ErrorCode;
    }
  | {
      /** An organization that the caller is an active member of, in whatever role. */
      readonly kind: 'membership';
      readonly resource: 'organization';
      readonly absent: ErrorCode;
    }
  | {
      /** A record that the visited share shows; any other counts as absent. */
      readonly kind: 'shared';
      readonly resource: ResourceType;
      readonly absent: ErrorCode;
    }
  | {
      /** A filter of a list that has only records that the caller may read. */
      readonly kind: 'filter';
      readonly resource: ResourceType | 'any';
    };

/** A field of a request, such as `params.id`, `query.collectionId` or `body.assetId`. */
export type TargetField = `${'params' | 'query' | 'body'}.${string}`;

/** The targets of an operation by field. */
export type Targets = Readonly<Record<TargetField, Target>>;

/** Declares an id of a record of the selected organization. */
export function target(
  resource: ResourceType,
  permission: Permission,
  absent: ErrorCode = 'not_found',
): Target {
  return { kind: 'record', resource, permission, absent };
}

/** Declares an id of the caller's own record. */
export function ownTarget(
  resource: ResourceType | 'session' | 'passkey' | 'export' | 'notification',
  absent: ErrorCode = 'not_found',
): Target {
  return { kind: 'own', resource, absent };
}

/** Declares an id of an organization that the caller is a member of. */
export function membershipTarget(absent: ErrorCode = 'not_found'): Target {
  return { kind: 'membership', resource: 'organization', absent };
}

/** Declares an id of a record that the visited share shows. */
export function visitorTarget(resource: ResourceType): Target {
  return { kind: 'shared', resource, absent: 'share_not_found' };
}

/** Declares an id that filters a list. */
export function filterBy(resource: ResourceType | 'any'): Target {
  return { kind: 'filter', resource };
}

/**
 * Requires a target for each id in path, query and body: without one, the operation does not compile.
 */
export type DeclaresTargets<Spec> = [IdField<Spec>] extends [never]
  ? unknown
  : { readonly targets: Readonly<Record<IdField<Spec>, Target>> };

type IdField<Spec> =
  | IdFieldIn<Spec, 'pathParams', 'params'>
  | IdFieldIn<Spec, 'query', 'query'>
  | IdFieldIn<Spec, 'body', 'body'>;

type IdFieldIn<Spec, Part extends string, Where extends string> =
  Spec extends Readonly<Record<Part, infer Schema>> ? `${Where}.${IdName<Schema>}` : never;

/** Names of the fields of an object, or of each object of a union, that hold an id. */
type IdName<Schema> = Schema extends { readonly shape: infer Shape }
  ? {
      [Name in keyof Shape & string]: true extends HoldsId<Shape[Name]> ? Name : never;
    }[keyof Shape & string]
  : Schema extends Wrapped<infer Inner>
    ? IdName<Inner>
    : never;

type HoldsId<Schema> = Schema extends IdSchema
  ? true
  : Schema extends { readonly shape: infer Shape }
    ? HoldsId<Shape[keyof Shape]>
    : Schema extends Wrapped<infer Inner>
      ? HoldsId<Inner>
      : false;

/** Optional, nullable and default values, lists and unions. */
type Wrapped<Inner> = {
  readonly def:
    | { readonly innerType: Inner }
    | { readonly element: Inner }
    | { readonly options: readonly Inner[] };
};
