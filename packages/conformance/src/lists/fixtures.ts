import { operations, type ListRules, type Operation, type OperationId } from '@atelier/contract';
import { z } from 'zod';
import type { RequestOptions } from '../deployment.ts';
import { NotRun } from '../findings.ts';
import type { Probe } from '../probe.ts';
import { valuesAt, itemSchemaOf, keyOf, type Item } from './items.ts';
import { createListedLibrary } from './library.ts';
import { sorted, type Ordering } from './oracle.ts';
import { readByNumber, withQuery } from './pages.ts';
import type { Creator } from './creator.ts';
import { subjectsOf, type Contents, type Listed, type ListId, type Subject } from './subjects.ts';
import { createListedTeam } from './team.ts';
import { createListedWork } from './work.ts';

/** A list whose responses a check can predict. */
export interface KnownList extends Pick<Ordering, 'idsOf'> {
  readonly itemSchema: z.ZodObject;
  readonly operation: Operation;
  readonly rules: ListRules;
  /** Reads the whole list. */
  readonly request: RequestOptions;
  readonly callerId: string;
  /** Every item in the default order; or some items, if the kit did not create them. */
  readonly items: readonly Item[];
  /** The ids that it has, or how many; null if the kit can't tell. */
  readonly contents: KnownContents;
  /** Whether no one else changes the list, and `items` are all. */
  readonly isWhole: boolean;
}

type KnownContents = Exclude<Contents, Readonly<Record<string, string>>>;

/** Finds or creates what a list has. */
export type ListFixtures = (operation: Operation, probe: Probe) => Promise<KnownList>;

export const lists: readonly Operation[] = operations.filter(
  ({ endpoint }) => endpoint.metadata.list !== null,
);

const maxLimit = 100;

/** Creates what all lists have when the first check asks for it. No check changes it. */
export function listFixtures(): ListFixtures {
  let created: Promise<ReadonlyMap<OperationId, KnownList>> | null = null;
  return async ({ id }, probe) => {
    const isFirst = created === null;
    created ??= createLists(probe);
    try {
      const list = (await created).get(id);
      if (list) return list;
    } catch (error) {
      // The check that created them reports the reason.
      throw isFirst ? error : new NotRun('what the lists have could not be created');
    }
    throw new Error(`add ${id} to subjectsOf in packages/conformance/src/lists/subjects.ts`);
  };
}

async function createLists(probe: Probe): Promise<ReadonlyMap<OperationId, KnownList>> {
  const team = await createListedTeam(probe);
  const { reader, colleague, id: organizationId } = team;
  const creator = {
    probe,
    reader: { token: reader.token, organizationId },
    colleague: { token: colleague.token, organizationId },
    program: { token: team.apiKey, organizationId },
    userIds: [reader.id, colleague.id],
  } as const;
  const [work, library] = await Promise.all([
    createListedWork(creator),
    createListedLibrary(creator),
  ]);
  const attachedIds = await attach(creator, { work, library });
  const approvalIds = await requestApprovals(creator, { team, work });
  const subjects = subjectsOf({ team, work, library, attachedIds, approvalIds });
  const read = await Promise.all(
    lists.map(async (operation): Promise<[OperationId, readonly Item[]]> => {
      // The keys of the subjects are all lists of the contract.
      const subject = subjects[operation.id as ListId];
      return [operation.id, await itemsOf(probe, operation, subject)];
    }),
  );
  return knownLists(new Map(read), subjects);
}

/** Attaches assets to the task with the comments, in another order than that of their ids. */
async function attach(
  { probe, reader, colleague }: Creator,
  { work, library }: Pick<Listed, 'work' | 'library'>,
): Promise<readonly string[]> {
  const ids = (library.assetIds.get(library.collectionId) ?? []).toReversed();
  for (const [index, assetId] of ids.entries()) {
    const by = index === 0 ? colleague : reader;
    await probe.succeed('taskAssets.attach', { ...by, params: { id: work.taskId, assetId } });
  }
  return ids;
}

/** Two programs ask to delete the tasks of the largest project; the first call is refused. */
async function requestApprovals(
  { probe, reader, program }: Creator,
  { team, work }: Pick<Listed, 'team' | 'work'>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [index, taskId] of (work.taskIds.get(work.projectId) ?? []).entries()) {
    const by = index % 2 === 0 ? program : { ...program, token: team.serviceKey };
    const body = { tool: 'tasks_remove', arguments: { id: taskId } };
    ids.push((await probe.succeed('approvals.request', { ...by, body })).id);
  }
  await probe.succeed('approvals.refuse', { ...reader, params: { id: ids[0] ?? '' } });
  return ids;
}

async function itemsOf(
  probe: Probe,
  operation: Operation,
  { request }: Subject,
): Promise<readonly Item[]> {
  const whole = { request: unscoped(operation, request), limit: maxLimit };
  return (await readByNumber(probe, operation, whole)).flatMap(({ items }) => items);
}

function knownLists(
  itemsByList: ReadonlyMap<OperationId, readonly Item[]>,
  subjects: Readonly<Record<ListId, Subject>>,
): ReadonlyMap<OperationId, KnownList> {
  const idsOf = new Map<string, readonly string[]>();
  const known = lists.map((operation): [OperationId, KnownList] => {
    const rules = rulesOf(operation);
    const { request, caller, contents } = subjects[operation.id as ListId];
    const itemSchema = itemSchemaOf(operation);
    const ordering = { keys: rules.defaultOrder, itemSchema, idsOf };
    const items = sorted(itemsByList.get(operation.id) ?? [], ordering);
    idsOf.set(operation.id, items.map(keyOf));
    return [
      operation.id,
      {
        operation,
        rules,
        itemSchema,
        idsOf,
        request: unscoped(operation, request),
        callerId: caller?.id ?? '',
        items,
        contents: inTimeline(contents, itemsByList.get('timeline.list') ?? []),
        isWhole: true,
      },
    ];
  });
  return new Map(known);
}

/** Replaces a condition by the ids of the activities that meet it. */
function inTimeline(contents: Contents, activities: readonly Item[]): KnownContents {
  if (contents === null || typeof contents === 'number' || isIds(contents)) return contents;
  return activities
    .filter((item) =>
      Object.entries(contents).every(([field, value]) => valuesAt(item, field).includes(value)),
    )
    .map(keyOf);
}

function isIds(contents: Exclude<Contents, number | null>): contents is readonly string[] {
  return Array.isArray(contents);
}

export function rulesOf({ id, endpoint }: Operation): ListRules {
  const { list } = endpoint.metadata;
  if (list) return list;
  throw new Error(`${id} is no list`);
}

/** Asks for everything of the organization where the default is what the caller created. */
export function unscoped(operation: Operation, request: RequestOptions): RequestOptions {
  const scopes = Object.entries(rulesOf(operation).filters).filter(
    ([, { comparison }]) => comparison === 'scope',
  );
  return withQuery(request, Object.fromEntries(scopes.map(([name]) => [name, 'organization'])));
}

/** Returns the schema of a field of the query. */
export function queryFieldOf({ endpoint }: Operation, name: string): z.ZodType {
  const { query } = endpoint;
  const field: unknown = query instanceof z.ZodObject ? query.shape[name] : undefined;
  if (field instanceof z.ZodType) return field;
  throw new Error(`${endpoint.path} has no ${name} in its query`);
}
