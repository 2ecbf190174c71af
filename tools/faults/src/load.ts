import { createHash } from 'node:crypto';
import { password, type Account, type Pending } from './account.ts';
import { listOf, type Body, type Outcome } from './requests.ts';
import type { Findings } from './findings.ts';
import type { RecordState, WriteKind } from './journal.ts';

/** The records that an account knows and works on. */
export interface OwnedRecords {
  readonly collections: string[];
  readonly projects: string[];
  readonly tasks: { readonly id: string; readonly projectId: string }[];
  /** Responses to requests with an idempotency key, to be repeated. */
  readonly responses: { readonly pending: Pending; readonly text: string }[];
}

export const noRecords = (): OwnedRecords => ({
  collections: [],
  projects: [],
  tasks: [],
  responses: [],
});

export interface Worker {
  /** The share of uploads that have two parts, from 0 to 1. */
  readonly largeUploadShare: number;
  readonly account: Account;
  readonly records: OwnedRecords;
  readonly findings: Findings;
}

const statuses = ['BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'];
const uploadBytes = { least: 1, most: 20_000 };
/** Two parts. */
const largeUploadBytes = 8 * 1024 ** 2 + 10;

/** The email of a registration. */
export function emailOf(marker: string): string {
  return `${marker.replaceAll(' ', '-')}@example.com`;
}

/** Repeats actions that the seed of the account decides, until told to stop. */
export async function work(worker: Worker, isOver: () => boolean, onWrite: () => void) {
  while (!isOver()) {
    const outcome = await actions[chooseAction(worker)](worker);
    if (outcome?.state === 'acknowledged') onWrite();
    else
      await new Promise((resolve) => setTimeout(resolve, worker.account.random.between(20, 120)));
  }
}

type Action = (worker: Worker) => Promise<Outcome | null>;

const weights = {
  collection: 3,
  rename: 3,
  project: 1,
  task: 4,
  move: 4,
  comment: 3,
  upload: 3,
  refresh: 1,
  exchange: 1,
  register: 1,
  retry: 3,
  repeat: 1,
} as const;

function chooseAction({ account: { random, pending }, records }: Worker): keyof typeof actions {
  const possible = {
    ...weights,
    rename: records.collections.length > 0 ? weights.rename : 0,
    task: records.projects.length > 0 ? weights.task : 0,
    move: records.tasks.length > 1 ? weights.move : 0,
    comment: records.tasks.length > 0 ? weights.comment : 0,
    upload: records.collections.length > 0 ? weights.upload : 0,
    retry: pending.length > 0 ? weights.retry : 0,
    repeat: records.responses.length > 0 ? weights.repeat : 0,
  };
  const names = Object.keys(possible) as (keyof typeof possible)[];
  return random.pick(names.flatMap((name) => Array.from({ length: possible[name] }, () => name)));
}

const actions = {
  collection: (worker) =>
    create(worker, 'collection', {
      path: '/api/collections/create',
      body: (title) => ({ title }),
      onAcknowledged: ({ id }) => worker.records.collections.push(id),
    }),
  project: (worker) =>
    create(worker, 'project', {
      path: '/api/projects',
      body: (name) => ({ name }),
      onAcknowledged: ({ id }) => worker.records.projects.push(id),
    }),
  task: (worker) => {
    const projectId = worker.account.random.pick(worker.records.projects);
    return create(worker, 'task', {
      path: `/api/projects/${projectId}/tasks`,
      body: (title) => ({ title }),
      parentId: projectId,
      onAcknowledged: ({ id }) => worker.records.tasks.push({ id, projectId }),
    });
  },
  comment: (worker) => {
    const { id: taskId } = worker.account.random.pick(worker.records.tasks);
    return create(worker, 'comment', {
      path: `/api/tasks/${taskId}/comments`,
      body: (body) => ({ body }),
      parentId: taskId,
    });
  },
  rename: ({ account, records }) => {
    const id = account.random.pick(records.collections);
    const marker = account.newMarker('rename');
    return account.write({
      marker,
      kind: 'rename',
      request: { method: 'PATCH', path: `/api/collections/${id}`, body: { title: marker } },
      wanted: { id, value: marker },
      readState: () => ({ id, value: marker }),
      onAcknowledged: () => {},
    });
  },
  move: ({ account, records }) => {
    const { id } = account.random.pick(records.tasks);
    const status = account.random.pick(statuses);
    return account.write({
      marker: account.newMarker('move'),
      kind: 'move',
      request: {
        method: 'PATCH',
        path: `/api/tasks/${id}/position`,
        body: { status, position: account.random.between(0, 3) },
      },
      wanted: { id, value: status },
      readState: () => ({ id, value: status }),
      onAcknowledged: () => {},
    });
  },
  upload: (worker) => upload(worker),
  refresh: async ({ account }) => {
    await account.refresh();
    return null;
  },
  exchange: async ({ account }) => {
    await account.exchangeConcurrently();
    return null;
  },
  register: ({ account }) => {
    const marker = account.newMarker('register');
    const email = emailOf(marker);
    return account.write({
      marker,
      kind: 'register',
      request: {
        method: 'POST',
        path: '/api/auth/register',
        body: { email, password },
        idempotencyKey: marker,
      },
      readState: () => ({ id: email }),
      onAcknowledged: () => {},
    });
  },
  retry: ({ account }) => {
    const again = account.pending.shift();
    return again ? account.write(again) : Promise.resolve(null);
  },
  repeat: async ({ account, records, findings }) => {
    const { pending, text } = account.random.pick(records.responses);
    const outcome = await account.request(pending.request);
    if (outcome.state === 'acknowledged' && (!outcome.isReplay || outcome.text !== text)) {
      findings.add(`${pending.marker} got another response with the same key`);
    }
    return outcome;
  },
} satisfies Record<string, Action>;

interface Creation {
  readonly path: string;
  readonly body: (marker: string) => Body;
  readonly parentId?: string;
  readonly onAcknowledged?: (state: RecordState) => void;
}

async function create(
  { account, records }: Worker,
  kind: WriteKind,
  creation: Creation,
): Promise<Outcome> {
  const marker = account.newMarker(kind);
  const isRepeatable = account.random.next() < 0.7;
  const { parentId } = creation;
  const attempt: Pending = {
    marker,
    kind,
    request: {
      method: 'POST',
      path: creation.path,
      body: creation.body(marker),
      ...(isRepeatable && { idempotencyKey: marker }),
    },
    readState: ({ body }) => ({
      id: String(body['id']),
      ...(parentId !== undefined && { parentId }),
    }),
    onAcknowledged: (state) => creation.onAcknowledged?.(state),
  };
  const outcome = await account.write(attempt);
  if (outcome.state === 'acknowledged' && isRepeatable) {
    records.responses.push({ pending: attempt, text: outcome.text });
  }
  return outcome;
}

async function upload({ account, records, largeUploadShare }: Worker): Promise<Outcome> {
  const { random } = account;
  const collectionId = random.pick(records.collections);
  const fileName = account.newMarker('upload');
  const sizeBytes =
    random.next() < largeUploadShare
      ? largeUploadBytes
      : random.between(uploadBytes.least, uploadBytes.most);
  const content = Buffer.alloc(sizeBytes, `${account.email} ${fileName} `);
  const contentType = 'text/plain';
  const started = await account.request({
    method: 'POST',
    path: '/api/upload/initiate',
    body: { fileName, contentType, fileSize: sizeBytes, collectionId },
  });
  if (started.state !== 'acknowledged') return started;
  const { uploadId, key, partSize } = started.body;
  const parts = [];
  for (const { partNumber, url } of listOf(started.body['parts'])) {
    const from = (Number(partNumber) - 1) * Number(partSize);
    const eTag = await putPart(String(url), content.subarray(from, from + Number(partSize)));
    if (eTag === null) return { state: 'unknown', because: 'a part was not stored' };
    parts.push({ partNumber, eTag });
  }
  return account.write({
    marker: fileName,
    kind: 'upload',
    request: {
      method: 'POST',
      path: '/api/upload/complete',
      body: { uploadId, key, contentType, collectionId, parts },
      // Completing may be repeated without a key; with one, the response is the same byte for byte.
      idempotencyKey: fileName,
    },
    readState: ({ body }) => ({
      id: String(body['id']),
      sizeBytes,
      sha256: createHash('sha256').update(content).digest('hex'),
    }),
    onAcknowledged: () => {},
  });
}

/** @returns null if the storage rejects the part, also after retries */
async function putPart(url: string, content: Buffer): Promise<string | null> {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    try {
      const response = await fetch(url, {
        method: 'PUT',
        body: Uint8Array.from(content),
        signal: AbortSignal.timeout(5_000),
      });
      await response.arrayBuffer();
      const eTag = response.headers.get('etag');
      if (response.ok && eTag !== null) return eTag;
    } catch {
      // The connection broke; the part is stored again.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return null;
}
