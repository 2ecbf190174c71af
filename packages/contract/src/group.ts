import type { Permission } from './access.ts';
import type { Toolset } from './toolsets.ts';

/**
 * Who sees an activity.
 *
 * - A permission: the members whose role has it for every record of the organization. For an approval, with a role that has it
 *   for their own records, also the account whose key asked for it.
 * - `actor`: the actor only, not even an administrator.
 * - `account`: the actor, and platform administrators in the timeline of all organizations. It belongs to no organization.
 */
export type Audience = Permission | 'actor' | 'account';

/** A recorded action on a resource. */
export interface ActionDeclaration {
  /** Shown after the title of the resource, such as “Posted”. */
  readonly label: string;
  /** Follows the name of the actor; `{name}` is the name of the resource. */
  readonly sentence: `${string}{name}${string}`;
  /** Default: the audience of the resource. */
  readonly audience?: Audience;
  /** Default: that of the resource. */
  readonly alsoShows?: Permission;
}

/** Something that activities are about. */
export interface ResourceDeclaration {
  /** Plural, as in lists and filters. */
  readonly title: string;
  /** Name of a Lucide icon. */
  readonly icon: string;
  /**
   * Path of its page in the web app, null without one. `{id}` is its id; other names are from the metadata of
   * the activity.
   */
  readonly page: `/${string}` | null;
  readonly audience: Audience;
  /** What reads the other resource whose name its activities show: an API key needs it, too. */
  readonly alsoShows?: Permission;
  /** By verb. A successful mutation that declares an activity records exactly one of them in its own transaction. */
  readonly actions: Readonly<Record<string, ActionDeclaration>>;
}

/** What the contract says of a group besides its operations. */
export interface GroupDeclaration {
  /** One sentence, for the documentation. */
  readonly description: string;
  /** Where assistants find its operations; null: none of them is a tool. */
  readonly toolset: Toolset | null;
  /** By type. Empty if no activity is about anything of this group. */
  readonly resources: Readonly<Record<string, ResourceDeclaration>>;
}

/** Declares a group: its text and the resources that its activities are about. */
export function group<const Declared extends GroupDeclaration>(declared: Declared): Declared {
  return declared;
}
