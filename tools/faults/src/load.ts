import { createHash } from 'node:crypto';
import { password, type Account, type Pending } from './account.ts';
import { listOf, type Body, type Outcome } from './calls.ts';
import type { Findings } from './findings.ts';
import type { Told, WriteKind } from './journal.ts';

/** What an account was told of, and works on. */
export interface Belongings {
  readonly collections: string[];
  readonly projects: string[];
  readonly tasks: { readonly id: string; readonly projectId: string }[];
  /** Answers under a key, to be asked for again. */
  readonly answered: { readonly pending: Pending; readonly text: string }[];
}

export const noBelongings = (): Belongings => ({
  collections: [],
  projects: [],
  tasks: [],
  answered: [],
});

export interface Worker {
  /** Of all uploads, how many have two parts; from 0 to 1. */
  readonly largeUploadShare: number;
  readonly account: Account;
  readonly belongings: Belongings;
  readonly findings: Findings;
}

const statuses = ['BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'];
const uploadBytes = { least: 1, most: 20_000 };
/** Two parts, once in a while. */
const largeUploadBytes = 8 * 1024 ** 2 + 10;

/** The address that a registration is made under. */
export function emailOf(marker: string): string {
  return `${marker.replaceAll(' ', '-')}@example.com`;
}

/** One thing after the other, each chosen by the account's numbers, until told to stop. */
export async function work(worker: Worker, isOver: () => boolean, onWrite: () => void) {
  while (!isOver()) {
    const outcome = await actions[chosen(worker)](worker);
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

function chosen({ account: { random, pending }, belongings }: Worker): keyof typeof actions {
  const possible = {
    ...weights,
    rename: belongings.collections.length > 0 ? weights.rename : 0,
    task: belongings.projects.length > 0 ? weights.task : 0,
    move: belongings.tasks.length > 1 ? weights.move : 0,
    comment: belongings.tasks.length > 0 ? weights.comment : 0,
    upload: belongings.collections.length > 0 ? weights.upload : 0,
    retry: pending.length > 0 ? weights.retry : 0,
    repeat: belongings.answered.length > 0 ? weights.repeat : 0,
  };
  const names = Object.keys(possible) as (keyof typeof possible)[];
  return random.pick(names.flatMap((name) => Array.from({ length: possible[name] }, () => name)));
}

const actions = {
  collection: (worker) =>
    create(worker, 'collection', {
      path: '/api/collections/create',
      body: (title) => ({ title }),
      onTold: ({ id }) => worker.belongings.collections.push(id),
    }),
  project: (worker) =>
    create(worker, 'project', {
      path: '/api/projects',
      body: (name) => ({ name }),
      onTold: ({ id }) => worker.belongings.projects.push(id),
    }),
  task: (worker) => {
    const projectId = worker.account.random.pick(worker.belongings.projects);
    return create(worker, 'task', {
      path: `/api/projects/${projectId}/tasks`,
      body: (title) => ({ title }),
      parentId: projectId,
      onTold: ({ id }) => worker.belongings.tasks.push({ id, projectId }),
    });
  },
  comment: (worker) => {
    const { id: taskId } = worker.account.random.pick(worker.belongings.tasks);
    return create(worker, 'comment', {
      path: `/api/tasks/${taskId}/comments`,
      body: (body) => ({ body }),
      parentId: taskId,
    });
  },
  rename: ({ account, belongings }) => {
    const id = account.random.pick(belongings.collections);
    const marker = account.newMarker('rename');
    return account.write({
      marker,
      kind: 'rename',
      request: { method: 'PATCH', path: `/api/collections/${id}`, body: { title: marker } },
      wanted: { id, value: marker },
      tell: () => ({ id, value: marker }),
      onTold: () => {},
    });
  },
  move: ({ account, belongings }) => {
    const { id } = account.random.pick(belongings.tasks);
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
      tell: () => ({ id, value: status }),
      onTold: () => {},
    });
  },
  upload: (worker) => upload(worker),
  refresh: async ({ account }) => {
    await account.refresh();
    return null;
  },
  exchange: async ({ account }) => {
    await account.exchangeTwice();
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
      tell: () => ({ id: email }),
      onTold: () => {},
    });
  },
  retry: ({ account }) => {
    const again = account.pending.shift();
    return again ? account.write(again) : Promise.resolve(null);
  },
  repeat: async ({ account, belongings, findings }) => {
    const { pending, text } = account.random.pick(belongings.answered);
    const outcome = await account.call(pending.request);
    if (outcome.state === 'acknowledged' && (!outcome.isReplay || outcome.text !== text)) {
      findings.add(`${pending.marker} was answered differently under its key`);
    }
    return outcome;
  },
} satisfies Record<string, Action>;

interface Creation {
  readonly path: string;
  readonly body: (marker: string) => Body;
  readonly parentId?: string;
  readonly onTold?: (told: Told) => void;
}

async function create(
  { account, belongings }: Worker,
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
    tell: ({ body }) => ({ id: String(body['id']), ...(parentId !== undefined && { parentId }) }),
    onTold: (told) => creation.onTold?.(told),
  };
  const outcome = await account.write(attempt);
  if (outcome.state === 'acknowledged' && isRepeatable) {
    belongings.answered.push({ pending: attempt, text: outcome.text });
  }
  return outcome;
}

async function upload({ account, belongings, largeUploadShare }: Worker): Promise<Outcome> {
  const { random } = account;
  const collectionId = random.pick(belongings.collections);
  const fileName = account.newMarker('upload');
  const sizeBytes =
    random.next() < largeUploadShare
      ? largeUploadBytes
      : random.between(uploadBytes.least, uploadBytes.most);
  const content = Buffer.alloc(sizeBytes, `${account.email} ${fileName} `);
  const contentType = 'text/plain';
  const started = await account.call({
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
      // Completing may be repeated without one; with one, the answer is the same to the byte.
      idempotencyKey: fileName,
    },
    tell: ({ body }) => ({
      id: String(body['id']),
      sizeBytes,
      sha256: createHash('sha256').update(content).digest('hex'),
    }),
    onTold: () => {},
  });
}

/** @returns null when the storage didn't take it, also not when asked again */
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
      // Cut off; the part is stored again.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return null;
}
