import {
  operations,
  permissionMatrix,
  type ActivityAction,
  type Endpoint,
  type OperationId,
} from '@atelier/contract';
import { sql, type AnyColumn } from 'drizzle-orm';
import { expect } from 'vitest';
import { z } from 'zod';
import { accountActivities, activities } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import { call, type CallOptions, type TestResponse, type TestApi } from './api.ts';

/** The expected activity of a success. */
export interface Recorded {
  readonly action: ActivityAction;
  /** Null if only the service is the actor; default: the caller. */
  readonly actorId?: string | null;
  /** Default: none. */
  readonly organizationId?: string | null;
  /** The id of its resource; default: the `id` in the response. */
  readonly resourceId?: string;
  /** Changed fields; default: none. */
  readonly fields?: readonly string[];
  /** An additional activity, which the contract also names. */
  readonly beside?: ActivityAction;
}

export interface WalkedStep {
  readonly as?: TestUser;
  readonly input?: CallOptions;
  /** Null for an operation that records nothing. */
  readonly recorded: Recorded | null | ((response: TestResponse) => Recorded | Promise<Recorded>);
  /** Refused requests in addition to the standard ones. */
  readonly refused?: readonly CallOptions[];
  /** The reason why the same request changes something again; without a reason it must be a no-op. */
  readonly repeatsBecause?: string;
}

/** Requests mutations, and compares each of them with the activities that it recorded. */
export function activityWalk(
  api: () => TestApi,
  people: () => { readonly viewer: TestUser; readonly stranger: TestUser },
) {
  const walked = new Set<OperationId>();
  const seen: string[] = [];
  /** Reads the activities, in order. @param known - the ids of those to leave out */
  async function recordedRows(known: readonly string[] = []) {
    const { db } = api();
    const isNew = (id: AnyColumn) => sql`${id} <> all(${sql.param(known)}::uuid[])`;
    const ofAccounts = await db.select().from(accountActivities).where(isNew(accountActivities.id));
    const rows = [
      ...(await db.select().from(activities).where(isNew(activities.id))),
      ...ofAccounts.map((row) => ({ ...row, organizationId: null })),
    ];
    return rows.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
  }

  const keyOf = ({ createdAt, id }: { createdAt: Date; id: string }) =>
    `${createdAt.toISOString()} ${id}`;

  /** Returns the activities since the last check. */
  async function news() {
    const rows = await recordedRows(seen);
    seen.push(...rows.map(({ id }) => id));
    return rows;
  }

  /**
   * Sends refused requests of every applicable kind, then one that succeeds, then its repetition.
   *
   * @returns the response of the success
   */
  async function walk(id: OperationId, step: WalkedStep): Promise<TestResponse> {
    const { endpoint } = operationOf(id);
    const requestId = `walk-${newId()}`;
    const options: CallOptions = {
      ...step.input,
      token: step.as?.token,
      headers: {
        ...step.input?.headers,
        'x-request-id': requestId,
        ...(endpoint.metadata.idempotent && { 'idempotency-key': requestId }),
      },
    };
    await news();
    await refuseAll(id, endpoint, { options, more: step.refused ?? [] });
    const response = await call(api(), id, options);
    expect([id, response.status, response.body?.code]).toEqual([
      id,
      endpoint.metadata.success.status,
      undefined,
    ]);
    await expectRecorded(id, { step, response, requestId });
    if (step.repeatsBecause === undefined) {
      const again = await call(api(), id, options);
      expect(again.status).toBeLessThan(500);
      expect([`${id}, repeated`, await news()]).toEqual([`${id}, repeated`, []]);
    }
    walked.add(id);
    return response;
  }

  async function expectRecorded(
    id: OperationId,
    { step, response, requestId }: { step: WalkedStep; response: TestResponse; requestId: string },
  ) {
    const recorded =
      typeof step.recorded === 'function' ? await step.recorded(response) : step.recorded;
    const declared = operationOf(id).endpoint.metadata.activities;
    if (recorded === null) {
      expect([id, declared, await news()]).toEqual([id, [], []]);
      return;
    }
    expect(declared).toContain(recorded.action);
    const expected = {
      action: recorded.action,
      actorId: recorded.actorId === undefined ? step.as?.id : recorded.actorId,
      organizationId: recorded.organizationId ?? null,
      resourceType: recorded.action.split('.')[0],
      resourceId: recorded.resourceId ?? response.body.data.id,
      requestId,
    };
    const rows: Awaited<ReturnType<typeof news>> = [];
    // A job records activities whose time would reveal whether an account exists.
    await expect
      .poll(async () => rows.push(...(await news())), { timeout: 10_000, interval: 20 })
      .toBeGreaterThan(0);
    const { beside } = recorded;
    if (beside) expect(declared).toContain(beside);
    expect([id, rows.map(({ action }) => action).toSorted()]).toEqual([
      id,
      [recorded.action, ...(beside ? [beside] : [])].toSorted(),
    ]);
    const row = rows.find(({ action }) => action === recorded.action);
    expect(row).toMatchObject(expected);
    expect(row?.resourceName).not.toBe('');
    expect([id, row?.changes.map(({ field }) => field).toSorted()]).toEqual([
      id,
      [...(recorded.fields ?? [])].toSorted(),
    ]);
    for (const { from, to } of row?.changes ?? []) expect(to).not.toEqual(from);
  }

  async function refuseAll(
    id: OperationId,
    endpoint: Endpoint,
    { options, more }: { options: CallOptions; more: readonly CallOptions[] },
  ) {
    const refusals = [...generalRefusals(endpoint, options), ...more];
    for (const refused of refusals) {
      // Its own key; otherwise the success would be a replay of the refusal.
      const headers = { ...options.headers, ...refused.headers, 'idempotency-key': newId() };
      const { status, headers: responded } = await call(api(), id, {
        ...options,
        ...refused,
        headers: endpoint.metadata.idempotent
          ? headers
          : { ...options.headers, ...refused.headers },
      });
      const isRefused = status >= 400 || responded.get('location')?.includes('error=') === true;
      expect([id, refused, status, isRefused]).toEqual([id, refused, status, true]);
      expect(status).toBeLessThan(500);
    }
    expect([`${id}, refused`, await news()]).toEqual([`${id}, refused`, []]);
  }

  function generalRefusals({ metadata, body, path }: Endpoint, options: CallOptions) {
    const { access, ifMatch, toleratesAnyBody } = metadata;
    const { viewer, stranger } = people();
    const refusals: CallOptions[] = [];
    if (access.kind === 'share') {
      refusals.push({ headers: { authorization: '' } }, { headers: { authorization: 'Share no' } });
    } else if (access.kind !== 'public') {
      refusals.push({ token: undefined }, { token: 'no token' });
    }
    if (access.kind === 'member' && namesTeam(path, options)) {
      refusals.push({ token: stranger.token });
      if (permissionMatrix[access.permission].VIEWER === 'none') {
        refusals.push({ token: viewer.token });
      }
    }
    const schema: unknown = body;
    if (schema instanceof z.ZodType && !toleratesAnyBody) refusals.push({ body: 'no object' });
    for (const name of Object.keys(options.params ?? {})) {
      refusals.push({ params: { ...options.params, [name]: 'nobody-has-this' } });
    }
    if (ifMatch) refusals.push({ headers: { 'if-match': '"another state"' } });
    return refusals;
  }

  return { walk, walked, everything: () => recordedRows() };
}

const namesTeam = (path: string, { organizationId }: CallOptions) =>
  organizationId !== undefined || path.startsWith('/api/organizations/:id');

function operationOf(id: OperationId) {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`The contract has no operation ${id}`);
  return operation;
}
