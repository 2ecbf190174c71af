import { actionCatalogue, resourceCatalogue, resourceTypes } from '@atelier/contract';

const banner =
  '// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.\n';

/** Prints the list of the types. It is a module of its own, so that a bundle can have it without the texts. */
export function generateResourceTypes(): string {
  return `${banner}
import type { ResourceType } from './types.ts';

/** Every type of resource that an activity can be about. */
export const resourceTypes: readonly ResourceType[] = [
${resourceTypes.map((type) => `  '${type}',\n`).join('')}];
`;
}

/** Prints what an app shows of resources and actions. */
export function generateResources(): string {
  const icons = new Set(Object.values(resourceCatalogue).map(({ icon }) => icon));
  return `${banner}
import type { ActivityAction, ResourceType } from './types.ts';

/** Name of a Lucide icon. */
export type ResourceIcon =${[...icons].map((icon) => `\n  | '${icon}'`).join('')};

/** What an app shows of a type of resource. */
export interface Resource {
  /** Plural, as in lists and filters. */
  readonly title: string;
  readonly icon: ResourceIcon;
  /**
   * Path of its page in the web app, null without one. \`{id}\` is its id; other names are from the metadata of
   * the activity.
   */
  readonly page: string | null;
}

/** What an app shows of an action. */
export interface Action {
  /** Shown after the title of the resource, such as “Posted”. */
  readonly label: string;
  /** Follows the name of the actor; \`{name}\` is the name of the resource. */
  readonly sentence: string;
}

export const resources: Readonly<Record<ResourceType, Resource>> = {
${Object.entries(resourceCatalogue)
  .map(([type, { title, icon, page }]) => printEntry(type, { title, icon, page }))
  .join('')}};

export const actions: Readonly<Record<ActivityAction, Action>> = {
${Object.entries(actionCatalogue)
  .map(([name, { label, sentence }]) => printEntry(`'${name}'`, { label, sentence }))
  .join('')}};
`;
}

function printEntry(key: string, value: object): string {
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${JSON.stringify(field)}`);
  return `  ${key}: { ${fields.join(', ')} },\n`;
}
