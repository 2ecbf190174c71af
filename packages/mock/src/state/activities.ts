import { actionCatalogue, type Action, type ActivityAction } from '@atelier/contract';
import { reachOf } from './access.ts';
import type { Call, NewActivity } from './model.ts';
import { idsOf, isRecord, textOf, type Fields, type Stored } from './store.ts';

/** Records what a successful request did. */
export function recordActivities(call: Call, requestId: string): void {
  for (const activity of call.activities ?? []) record(call, activity, requestId);
}

function record(
  { state, caller, organization, key }: Call,
  { action, resourceId, resourceName, changes = [], metadata = {}, ...about }: NewActivity,
  requestId: string,
): void {
  const actor = about.actor ?? caller;
  const organizationId = about.organizationId ?? null;
  const isOfAccount = actionCatalogue[action as ActivityAction].audience === 'account';
  // What is of an account belongs to an organization only if the account does.
  const belongsTo = isOfAccount ? organizationId : (organizationId ?? organization?.id ?? null);
  const createdAt = state.now();
  const stored = state.store.add({
    kind: 'Activity',
    id: state.newId(),
    organizationId: belongsTo,
    ownerId: actor?.id ?? null,
    fields: {
      action,
      actor: actor && { id: actor.id, name: textOf(actor.fields, 'displayName') },
      organizationId: belongsTo,
      resourceType: action.split('.', 1)[0],
      resourceId,
      resourceName,
      changes,
      metadata: { ...metadata, ...(key && { apiKeyId: key.id }) },
      requestId,
      createdAt,
    },
  });
  for (const listener of state.listeners) listener(stored);
}

/** Returns what the name of a record is in an activity. */
export function nameIn({ state }: Pick<Call, 'state'>, record: Stored): string {
  const { nameOf } = state.features.kind(record.kind);
  if (nameOf) return nameOf(record, state);
  const names = ['title', 'name', 'assetName', 'displayName', 'email'];
  return (
    names.map((name) => textOf(record.fields, name)).find((text) => text !== '') ?? record.kind
  );
}

/** Describes what a request did to a record. */
export function activityOn(
  call: Call,
  record: Stored,
  {
    action,
    changes = [],
    metadata,
  }: { action: string } & Pick<NewActivity, 'changes' | 'metadata'>,
): NewActivity {
  const about: Fields | undefined = call.state.features.kind(record.kind).metadataOf?.(record);
  return {
    action,
    resourceId: record.id,
    resourceName: nameIn(call, record),
    changes,
    metadata: { ...about, ...metadata },
    organizationId: record.organizationId,
  };
}

/** Whether a member may see an activity: they may read the resource, or it concerns them. */
export function maySee(
  { ownerId, fields }: Stored,
  { caller, role, key }: Pick<Call, 'caller' | 'role' | 'key'>,
): boolean {
  const { audience, alsoShows = audience } = actionOf(fields);
  if (audience === 'actor' || audience === 'account') return ownerId === caller?.id;
  const scopes = key && idsOf(key.fields, 'scopes');
  if (scopes && ![audience, alsoShows].every((needed) => scopes.includes(needed))) return false;
  const reach = reachOf(audience, role);
  return reach === 'any' || (reach === 'own' && isAboutRecordOf(fields, caller));
}

/** Whether an activity says that it is about what is the caller's: so far, an approval that their key asked for. */
function isAboutRecordOf({ metadata }: Fields, caller: Call['caller']): boolean {
  return isRecord(metadata) && caller !== null && metadata['requestedBy'] === caller.id;
}

/** Whether an activity is visible to another account only, not even to an administrator. */
export function isPrivate({ ownerId, fields }: Stored, { caller }: Pick<Call, 'caller'>): boolean {
  return actionOf(fields).audience === 'actor' && ownerId !== caller?.id;
}

function actionOf(fields: Fields): Action {
  return actionCatalogue[fields['action'] as ActivityAction];
}
