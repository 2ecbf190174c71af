import { z } from 'zod/v4';
import type { ActionDeclaration, Audience, ResourceDeclaration } from './group.ts';
import { groupCatalogue } from './groups.ts';

type ResourcesOf<Group> = Group extends { readonly resources: infer Resources } ? Resources : never;

type ActionsOf<Resources> = {
  [Type in keyof Resources & string]: Resources[Type] extends { readonly actions: infer Actions }
    ? `${Type}.${keyof Actions & string}`
    : never;
}[keyof Resources & string];

type Groups = typeof groupCatalogue;

/** What an activity can be about. */
export type ResourceType = {
  [Group in keyof Groups]: keyof ResourcesOf<Groups[Group]> & string;
}[keyof Groups];

/** A recorded action as `resource.verb`; webhooks and live events use the same names. */
export type ActivityAction = {
  [Group in keyof Groups]: ActionsOf<ResourcesOf<Groups[Group]>>;
}[keyof Groups];

/** An action with what follows from its resource. */
export interface Action extends ActionDeclaration {
  readonly audience: Audience;
}

// Object.fromEntries and Object.entries widen the keys that the types above are made of.

/** Every resource by its type. */
export const resourceCatalogue = Object.fromEntries(
  Object.values(groupCatalogue).flatMap((group) =>
    Object.entries<ResourceDeclaration>(group.resources),
  ),
) as Readonly<Record<ResourceType, ResourceDeclaration>>;

/** Every action by its name. */
export const actionCatalogue = Object.fromEntries(
  Object.entries(resourceCatalogue).flatMap(([type, { audience, alsoShows, actions: declared }]) =>
    Object.entries(declared).map(([verb, action]) => [
      `${type}.${verb}`,
      { audience, ...(alsoShows && { alsoShows }), ...action },
    ]),
  ),
) as Readonly<Record<ActivityAction, Action>>;

export const resourceTypes = namesOf(resourceCatalogue);

/** The names of {@link actionCatalogue}. */
export const activityActions = namesOf(actionCatalogue);

export const ActivityActionName = z.enum(activityActions).meta({
  id: 'ActivityAction',
  description: 'What happened, as `resource.verb`.',
  examples: ['asset.create'],
});

export const ResourceTypeName = z.enum(resourceTypes).meta({
  id: 'ResourceType',
  description: 'What an activity is about.',
  examples: ['asset'],
});

function namesOf<Name extends string>(
  declared: Readonly<Record<Name, unknown>>,
): readonly [Name, ...Name[]] {
  return Object.keys(declared) as [Name, ...Name[]];
}
