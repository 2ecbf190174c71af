import { MockFailure } from '../failure.ts';
import type { Call } from './model.ts';
import { isRecord, type Fields, type Stored } from './store.ts';

/** @throws Error for a public operation */
export function callerOf({ caller }: Call): Stored {
  if (caller) return caller;
  throw new Error('a public operation has no caller');
}

/** @throws MockFailure for an operation of a user, who named no organization */
export function organizationOf({ organization }: Call): Stored {
  if (organization) return organization;
  throw new MockFailure('organization_access_denied');
}

/** Returns the record that a field of the request names. */
export function recordAt({ records, operation }: Call, field: string): Stored {
  const record = records.get(field);
  if (record) return record;
  throw new Error(`${operation.id} has no record at ${field}`);
}

/** Returns the fields of the body; none without one. */
export function bodyOf({ input }: Call): Fields {
  return isRecord(input.body) ? input.body : {};
}
