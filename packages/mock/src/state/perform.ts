import { successBody } from '../responses.ts';
import type { Call } from './model.ts';
import { create, remove, restore, update } from './changes.ts';
import { listedBy, returnedBy, returnsOnlyId, schemaByKind } from './kinds.ts';
import { pageOf } from './lists.ts';
import { present } from './present.ts';
import type { Stored } from './store.ts';

/**
 * Does what an operation says, and returns the `data` of its response. What an operation does follows from its
 * declaration: a list lists, a 201 creates, a DELETE that returns an id deletes, and what returns the record that its
 * path names reads or changes it. Anything else gets a generated response.
 */
export function perform(call: Call): unknown {
  const { operation, state } = call;
  const { respond } = state.features.operation(operation.id);
  if (respond) return respond(call);
  const listed = listedBy(operation);
  if (listed) return pageOf(call, listed);
  const subject = subjectOf(call);
  if (operation.endpoint.method === 'DELETE' && returnsOnlyId(operation) && subject) {
    remove(call, subject);
    return { id: subject.id };
  }
  const returned = returnedBy(operation);
  if (!returned) return generated(call);
  const isOfKind = subject?.kind === returned.kind;
  if (operation.endpoint.method === 'POST' && !isOfKind) {
    return shown(call, create(call, returned));
  }
  if (!subject || !isOfKind) return generated(call);
  if (operation.endpoint.method !== 'GET') {
    if (operation.id.endsWith('.restore')) restore(call, subject);
    else update(call, subject);
  }
  return shown(call, subject);
}

/** Returns the record that the path names last; the account for an operation about the caller. */
export function subjectOf({ records, operation, caller }: Call): Stored | null {
  const named = [...records].filter(([field]) => field.startsWith('params.'));
  const last = named.at(-1)?.[1];
  if (last) return last;
  return returnedBy(operation)?.kind === 'user' ? caller : null;
}

/** Returns a record as the operation returns it. */
export function shown(call: Call, record: Stored): unknown {
  const { state, caller, session, operation } = call;
  const view = { state, callerId: caller?.id ?? null, sessionId: session?.id ?? null };
  return present(record, view, returnedBy(operation)?.schema ?? schemaByKind.get(record.kind));
}

function generated(call: Call): unknown {
  const { state, operation, input } = call;
  call.activities ??= [];
  const whole = successBody(state, operation, input);
  return (whole as { data?: unknown } | null)?.data;
}
