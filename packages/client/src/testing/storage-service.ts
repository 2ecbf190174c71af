import { createHash } from 'node:crypto';
import {
  failure,
  startService,
  success,
  type Received,
  type Reply,
  type Service,
} from './service.ts';

/** The upload operations and their storage, with a record of requests. */
export interface StorageService extends Service {
  /** Stored parts of the last upload by number. */
  readonly parts: Map<number, Buffer>;
  /** Numbers of the received parts in order, repeats included. */
  readonly attempts: number[];
  /** Number of initiated uploads. */
  readonly initiations: () => number;
  /** Number of resumptions. */
  readonly resumptions: () => number;
  readonly aborted: () => boolean;
  /** Body of the completion; undefined before it arrives. */
  readonly completion: () => unknown;
  /** Maximum number of parts sent in parallel. */
  readonly maxConcurrency: () => number;
}

export interface StorageOptions {
  readonly partSize: number;
  /** Responds to a part instead of storing it; called when the part arrives. */
  readonly beforePart?: (part: number, attempt: number) => Promise<Override> | Override;
  readonly hidesETag?: boolean;
  /** Rejects URLs of an older generation with a 403, like expired ones. */
  readonly oldestGeneration?: () => number;
  /** Responds to an operation instead of the service. */
  readonly beforeOperation?: (path: string) => Promise<Override> | Override;
  /** When the URLs expire; default: in an hour. */
  readonly expiresAt?: () => Date;
}

/** A response in place of storing the part; `store and hang up` stores it and loses the response. */
type Override = Reply | 'hang up' | 'store and hang up' | undefined;

function eTagOf(body: Buffer): string {
  return createHash('md5').update(body).digest('hex');
}

/** Starts the upload operations and their storage. */
export async function startStorage(options: StorageOptions): Promise<StorageService> {
  const parts = new Map<number, Buffer>();
  const attempts: number[] = [];
  let active = 0;
  let max = 0;
  let completion: unknown;
  let isAborted = false;
  let initiations = 0;
  let resumptions = 0;
  let fileSize = 0;

  async function store({ path, body }: Received): Promise<Reply | 'hang up'> {
    const [generation = 0, number = 0] = path.split('/').slice(-2).map(Number);
    attempts.push(number);
    max = Math.max(max, (active += 1));
    const attempt = attempts.filter((other) => other === number).length;
    const early = await options.beforePart?.(number, attempt);
    active -= 1;
    if (early && early !== 'store and hang up') return early;
    if (generation < (options.oldestGeneration?.() ?? 0)) return { status: 403, body: '' };
    parts.set(number, body);
    if (early) return 'hang up';
    const eTag = eTagOf(body);
    return { status: 200, headers: options.hidesETag ? {} : { etag: `"${eTag}"` }, body: '' };
  }

  const numbers = () =>
    Array.from(
      { length: Math.max(1, Math.ceil(fileSize / options.partSize)) },
      (_, index) => index + 1,
    );

  /** Returns new URLs of the missing parts. */
  function started() {
    const generation = initiations + resumptions;
    return {
      uploadId: `upload-${initiations}`,
      key: 'collection/c/u/my file',
      partSize: options.partSize,
      parts: numbers()
        .filter((partNumber) => !parts.has(partNumber))
        .map((partNumber) => ({
          partNumber,
          url: `${service.url}/bucket/${generation}/${partNumber}`,
        })),
      expiresAt: (options.expiresAt?.() ?? new Date(Date.now() + 3_600_000)).toISOString(),
    };
  }

  function stored() {
    resumptions += 1;
    const uploadedParts = [...parts].map(([partNumber, body]) => ({
      partNumber,
      eTag: eTagOf(body),
      size: body.length,
    }));
    return { ...started(), fileSize, uploadedParts };
  }

  const service: Service = await startService(async (request) => {
    if (request.method === 'PUT') return store(request);
    const early = await options.beforeOperation?.(request.path);
    if (early && early !== 'store and hang up') return early;
    if (request.method === 'GET') return success(stored());
    const body: Record<string, unknown> = JSON.parse(String(request.body));
    switch (request.path) {
      case '/api/upload/initiate':
        initiations += 1;
        parts.clear();
        fileSize = Number(body.fileSize);
        return success(started(), 201);
      case '/api/upload/complete':
        completion = body;
        return success({ id: 'asset-1' });
      case '/api/upload/abort':
        isAborted = true;
        return success({ uploadId: 'upload-1' });
      default:
        return failure(404, 'route_not_found');
    }
  });

  return {
    ...service,
    parts,
    attempts,
    initiations: () => initiations,
    resumptions: () => resumptions,
    aborted: () => isAborted,
    completion: () => completion,
    maxConcurrency: () => max,
  };
}
