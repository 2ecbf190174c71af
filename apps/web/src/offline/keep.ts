import { ApiError } from '@atelier/client';
import { hashKey, onlineManager, type Query } from '@tanstack/react-query';
import { buildOfPage } from '../loading/build.ts';
import { accountKeys, organizationsQuery } from '../session/account.ts';
import { api } from '../session/api.ts';
import { queryClient } from '../session/query-client.ts';
import { isUnreachable } from '../ui/error-texts.ts';
import { serverDataOf } from '../unsent/server-data.ts';
import { currentSession } from '../unsent/session-mark.ts';
import { excess, isKept, limits, organizationOf, serialized } from './kept-queries.ts';
import { fetchRestored, restoreResponses } from './restore.ts';
import { storedResponses, storeResponses, type KeptResponse } from './store.ts';

const cache = queryClient.getQueryCache();
const build = buildOfPage();
const throttleMs = 1000;
const organizationsHash = hashKey(accountKeys.organizations);

/** The session of this tab and its identity in the token store, which another tab may replace. */
interface TabSession {
  readonly mark: string;
  /** Undefined: nothing is kept. */
  readonly id: string | undefined;
}

let session: TabSession = { mark: '', id: undefined };
/** Size and age of what is stored, by the hash of the query's key. */
const index = new Map<string, { readonly fetchedAtMs: number; readonly size: number }>();
/** Queries to store, with the session that fetched them. */
const changed = new Map<Query, string>();
const gone = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what queries fetch, and shows it when the network can't. Call it once. */
export async function keepResponses(): Promise<void> {
  await enterSession();
  await readIndex();
  for (const query of cache.getAll()) if (serverDataOf(query)) keep(query);
  cache.subscribe((event) => {
    const query = event.query as Query;
    // A query that nothing has fetched in this visit, or not for some minutes.
    if (event.type === 'added' && !onlineManager.isOnline()) restoreSoon();
    if (event.type !== 'updated') return;
    const { action } = event;
    if (action.type === 'success' && !action.manual) {
      keep(query);
      if (query.queryHash === organizationsHash) dropLeftOrganizations();
      fetchFailedSoon();
    }
    if (action.type !== 'error') return;
    if (isUnreachable(action.error) && query.state.data === undefined) restoreSoon();
    if (isDenied(action.error)) drop(query);
  });
  onlineManager.subscribe((isOnline) => {
    if (isOnline) void fetchRestored();
    else restoreSoon();
  });
  const isUnknown = ({ state }: Query) => state.data === undefined && isUnreachable(state.error);
  if (!onlineManager.isOnline() || cache.getAll().some(isUnknown)) await restore();
}

let recovery: ReturnType<typeof setTimeout> | undefined;

/** One response shows that the server can be reached again; the others needn't wait for their turn. */
function fetchFailedSoon(): void {
  const hasFailed = ({ state }: Query) => isUnreachable(state.error);
  if (recovery || !cache.getAll().some(hasFailed)) return;
  recovery = setTimeout(() => {
    recovery = undefined;
    void queryClient.refetchQueries({ type: 'active', predicate: hasFailed });
  }, throttleMs);
}

/** Tells whether the user may no longer read it. */
function isDenied(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 404);
}

async function enterSession(): Promise<void> {
  const mark = currentSession();
  if (session.mark === mark) return;
  index.clear();
  gone.clear();
  session = { mark, id: (await api.session.get())?.session };
}

const isOwn = (kept: KeptResponse) => kept.session === session.id && kept.build === build;

/** Removes what has become too old, or is of another session or build. */
async function readIndex(): Promise<void> {
  const removed: string[] = [];
  for (const [hash, kept] of await storedResponses()) {
    const isTooOld = kept.fetchedAtMs < Date.now() - limits.ageMs;
    if (isTooOld || !isOwn(kept)) removed.push(hash);
    else index.set(hash, { fetchedAtMs: kept.fetchedAtMs, size: kept.json.length });
  }
  await storeResponses({ added: [], removed });
}

function keep(query: Query): void {
  if (!isKept(query.queryKey)) return;
  gone.delete(query.queryHash);
  changed.set(query, currentSession());
  storeSoon();
}

function drop({ queryHash }: Query): void {
  gone.add(queryHash);
  storeSoon();
}

/** Removes what is of organizations that the user no longer belongs to. */
function dropLeftOrganizations(): void {
  const organizations = queryClient.getQueryData(organizationsQuery.queryKey) ?? [];
  const isLeft = (hash: string) => {
    const id = organizationOf(hash);
    return id !== undefined && organizations.every((organization) => organization.id !== id);
  };
  for (const hash of index.keys()) if (isLeft(hash)) gone.add(hash);
  storeSoon();
}

function storeSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    // Without storage, nothing is kept.
    void store().catch(() => {});
  }, throttleMs);
}

async function store(): Promise<void> {
  await enterSession();
  const { mark, id } = session;
  // It has ended in the meantime.
  if (mark !== currentSession()) return storeSoon();
  const queries = [...changed].filter(([, fetchedIn]) => fetchedIn === mark);
  changed.clear();
  if (id === undefined) return;
  const added = queries.flatMap(([query]) => {
    const known = serverDataOf(query);
    if (!known || gone.has(query.queryHash)) return [];
    const json = serialized(query.queryKey, known.data);
    if (json.length > limits.size) {
      gone.add(query.queryHash);
      return [];
    }
    const kept = { session: id, build, fetchedAtMs: known.updatedAt, json };
    index.set(query.queryHash, { fetchedAtMs: known.updatedAt, size: json.length });
    return [[query.queryHash, kept] as const];
  });
  const removed = [...gone, ...excess(index)];
  gone.clear();
  for (const hash of removed) index.delete(hash);
  await storeResponses({ added: added.filter(([hash]) => index.has(hash)), removed });
}

let restoring: Promise<void> | undefined;

function restoreSoon(): void {
  restoring ??= Promise.resolve()
    .then(restore)
    .catch(() => {})
    .finally(() => {
      restoring = undefined;
    });
}

async function restore(): Promise<void> {
  await enterSession();
  if (session.id === undefined) return;
  const stored = await storedResponses();
  await restoreResponses(
    stored.filter(([, kept]) => isOwn(kept)).map(([hash, kept]) => ({ hash, ...kept })),
  );
}
