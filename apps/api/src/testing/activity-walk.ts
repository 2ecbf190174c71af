import {
  operations,
  permissionMatrix,
  type ActivityAction,
  type Endpoint,
  type OperationId,
} from '@atelier/contract';
import { asc } from 'drizzle-orm';
import { expect } from 'vitest';
import { z } from 'zod';
import { activities } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import { call, type CallOptions, type TestAnswer, type TestApi } from './api.ts';

/** What the one activity of a success says. */
export interface Recorded {
  readonly action: ActivityAction;
  /** Null where nobody but the service is known; by default who called. */
  readonly actorId?: string | null;
  /** By default none. */
  readonly organizationId?: string | null;
  /** The id of what it is about; by default the `id` of the answer. */
  readonly resourceId?: string;
  /** Fields that changed; by default none. */
  readonly fields?: readonly string[];
  /** An activity that comes along, named by the contract too. */
  readonly beside?: ActivityAction;
}

export interface WalkedStep {
  readonly as?: TestUser;
  readonly input?: CallOptions;
  /** Null for an operation that records nothing. */
  readonly recorded: Recorded | null | ((answer: TestAnswer) => Recorded | Promise<Recorded>);
  /** Calls that are refused beyond those that are always tried. */
  readonly refused?: readonly CallOptions[];
  /** Why the same call changes something again; without a reason it has to change nothing. */
  readonly repeatsBecause?: string;
}

/** Calls mutations, and holds each of them against the activities that it left. */
export function activityWalk(
  api: () => TestApi,
  people: () => { readonly viewer: TestUser; readonly stranger: TestUser },
) {
  const walked = new Set<OperationId>();
  const seen = new Set<string>();
  const recordedRows = () =>
    api().db.select().from(activities).orderBy(asc(activities.createdAt), asc(activities.id));

  /** What was recorded since the last look. */
  async function news() {
    const rows = (await recordedRows()).filter(({ id }) => !seen.has(id));
    for (const { id } of rows) seen.add(id);
    return rows;
  }

  /**
   * Has an operation refused in every way that applies to it, called once, and repeated.
   *
   * @returns the answer of the success
   */
  async function walk(id: OperationId, step: WalkedStep): Promise<TestAnswer> {
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
    const answer = await call(api(), id, options);
    expect([id, answer.status, answer.body?.code]).toEqual([
      id,
      endpoint.metadata.success.status,
      undefined,
    ]);
    await expectRecorded(id, { step, answer, requestId });
    if (step.repeatsBecause === undefined) {
      const again = await call(api(), id, options);
      expect(again.status).toBeLessThan(500);
      expect([`${id}, repeated`, await news()]).toEqual([`${id}, repeated`, []]);
    }
    walked.add(id);
    return answer;
  }

  async function expectRecorded(
    id: OperationId,
    { step, answer, requestId }: { step: WalkedStep; answer: TestAnswer; requestId: string },
  ) {
    const recorded =
      typeof step.recorded === 'function' ? await step.recorded(answer) : step.recorded;
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
      resourceId: recorded.resourceId ?? answer.body.data.id,
      requestId,
    };
    const rows: Awaited<ReturnType<typeof news>> = [];
    // A job records what would tell by its time whether an account exists.
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
      // Under a key of its own, or the success would be a replay of the refusal.
      const headers = { ...options.headers, ...refused.headers, 'idempotency-key': newId() };
      const { status, headers: answered } = await call(api(), id, {
        ...options,
        ...refused,
        headers: endpoint.metadata.idempotent
          ? headers
          : { ...options.headers, ...refused.headers },
      });
      const isRefused = status >= 400 || answered.get('location')?.includes('error=') === true;
      expect([id, refused, status, isRefused]).toEqual([id, refused, status, true]);
      expect(status).toBeLessThan(500);
    }
    expect([`${id}, refused`, await news()]).toEqual([`${id}, refused`, []]);
  }

  function generalRefusals({ metadata, body, path }: Endpoint, options: CallOptions) {
    const { access, ifMatch, toleratesAnyBody } = metadata;
    const { viewer, stranger } = people();
    const refusals: CallOptions[] = [];
    if (access.kind !== 'public') refusals.push({ token: undefined }, { token: 'no token' });
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

  return { walk, walked, everything: recordedRows };
}

const namesTeam = (path: string, { organizationId }: CallOptions) =>
  organizationId !== undefined || path.startsWith('/api/organizations/:id');

function operationOf(id: OperationId) {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`The contract has no operation ${id}`);
  return operation;
}
