import type { Action, Resource } from '@atelier/client/resources';
import { texts } from '../texts/activity.ts';

// A deployment may add types and actions while a page of an older build is open.
const resources: Readonly<Record<string, Resource | undefined>> = texts.resources;
const actions: Readonly<Record<string, Action | undefined>> = texts.actions;

/** Returns what is known of a type of resource; nothing of one that is newer than this build. */
export function resourceOf(type: string): Resource | undefined {
  return resources[type];
}

/** Returns what follows the name of the actor; `{name}` is the name of the resource. */
export function sentenceOf(action: string): string {
  return actions[action]?.sentence ?? texts.otherAction(action);
}
