import { exportDays, maxExports } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { callerOf, recordAt } from '../state/call.ts';
import type { Call, State } from '../state/model.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import { zipOf } from '../zip.ts';
import { accountActivity } from './accounts.ts';

const exportMs = exportDays * 24 * 60 * 60 * 1000;
/** How long an export is being prepared: long enough for requests that a busy machine handles late. */
const preparingMs = 2000;

/** The exports of an account, the newest first. */
function exportsOf({ store }: State, user: Stored): readonly Stored[] {
  return store
    .all('export')
    .filter(({ ownerId }) => ownerId === user.id)
    .toReversed();
}

function statusOf({ hidden }: Stored, nowMs: number): 'PENDING' | 'READY' | 'EXPIRED' {
  const readyAtMs = Number(hidden['readyAtMs']);
  if (nowMs < readyAtMs) return 'PENDING';
  return nowMs < readyAtMs + exportMs ? 'READY' : 'EXPIRED';
}

function shown({ state, session }: Call, record: Stored): Fields {
  const { id, fields, hidden } = record;
  const status = statusOf(record, state.nowMs());
  const isPending = status === 'PENDING';
  const isConfirmed = Number(session?.hidden['confirmedUntil'] ?? 0) > state.nowMs();
  const path = pathOf(id);
  const name = `atelier-export-${textOf(fields, 'createdAt').slice(0, 10)}.zip`;
  const query = new URLSearchParams({ disposition: `attachment; filename=${name}` });
  return {
    ...fields,
    id,
    status,
    expiresAt: isPending ? null : new Date(Number(hidden['readyAtMs']) + exportMs).toISOString(),
    sizeBytes: isPending ? null : (state.storage.get(path)?.bytes.length ?? 0),
    url: status === 'READY' && isConfirmed ? `${state.baseUrl}${path}?${query.toString()}` : null,
  };
}

const pathOf = (id: string) => `/mock-storage/exports/${id}`;

function requestExport(call: Call): Fields {
  const { state } = call;
  const caller = callerOf(call);
  const now = state.nowMs();
  const [last, ...others] = exportsOf(state, caller);
  if (last && statusOf(last, now) === 'PENDING') throw new MockFailure('export_pending');
  const first = [last, ...others][maxExports - 1];
  const waitMs = Date.parse(textOf(first?.fields, 'createdAt')) + exportMs - now;
  if (waitMs > 0) {
    const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
    throw new MockFailure('rate_limited', { headers });
  }
  const made = state.store.add({
    kind: 'export',
    id: state.newId(),
    organizationId: null,
    ownerId: caller.id,
    fields: { createdAt: state.now() },
    hidden: { readyAtMs: now + preparingMs },
  });
  state.storage.put(pathOf(made.id), archiveOf(state, caller), 'application/zip');
  call.activities = [accountActivity(caller, 'export')];
  return shown(call, made);
}

/** The account, and its files: the mock leaves out the rest. */
function archiveOf({ store }: State, user: Stored): Uint8Array {
  const home = user.fields['personalOrganizationId'];
  const files = store.all('asset').filter(({ organizationId }) => organizationId === home);
  const named = files.map(({ id, fields }) => ({
    id,
    name: fields['assetName'],
    contentType: fields['assetType'],
    sizeBytes: fields['fileSize'],
    sha256: null,
    versionNumber: fields['currentVersion'],
    collectionId: fields['collectionId'],
  }));
  return zipOf([
    { name: 'users.jsonl', text: `${JSON.stringify({ id: user.id, ...user.fields })}\n` },
    { name: 'files.json', text: `${JSON.stringify(named, null, 2)}\n` },
  ]);
}

function latestExport(call: Call): Fields {
  const [latest] = exportsOf(call.state, callerOf(call));
  return { export: latest ? shown(call, latest) : null };
}

export const exportOperations = {
  'account.requestExport': { respond: requestExport },
  'account.latestExport': { respond: latestExport },
  'account.getExport': { respond: (call: Call) => shown(call, recordAt(call, 'params.id')) },
};
