import { createHash } from 'node:crypto';
import {
  failure,
  startService,
  success,
  type Received,
  type Reply,
  type Service,
} from './service.ts';

/** The upload operations and the storage behind them, with everything that went through. */
export interface StorageService extends Service {
  /** Stored parts by number. */
  readonly parts: Map<number, Buffer>;
  /** Numbers of the parts in the order in which they came, repeats included. */
  readonly attempts: number[];
  readonly aborted: () => boolean;
  /** Body of the completion, once it came. */
  readonly completion: () => unknown;
  /** Most parts that were on their way at the same time. */
  readonly mostAtOnce: () => number;
}

interface StorageOptions {
  readonly partSize: number;
  /** Answers a part instead of storing it; called when it came. */
  readonly beforePart?: (part: number, attempt: number) => Promise<Answer> | Answer;
  readonly hidesETag?: boolean;
}

type Answer = Reply | 'hang up' | undefined;

export async function startStorage(options: StorageOptions): Promise<StorageService> {
  const parts = new Map<number, Buffer>();
  const attempts: number[] = [];
  let now = 0;
  let most = 0;
  let completion: unknown;
  let isAborted = false;

  async function store({ path, body }: Received): Promise<Reply | 'hang up'> {
    const number = Number(path.split('/').at(-1));
    attempts.push(number);
    most = Math.max(most, (now += 1));
    const attempt = attempts.filter((other) => other === number).length;
    const early = await options.beforePart?.(number, attempt);
    now -= 1;
    if (early) return early;
    parts.set(number, body);
    const eTag = createHash('md5').update(body).digest('hex');
    return { status: 200, headers: options.hidesETag ? {} : { etag: `"${eTag}"` }, body: '' };
  }

  const service: Service = await startService(async (request) => {
    if (request.method === 'PUT') return store(request);
    const body: Record<string, unknown> = JSON.parse(String(request.body));
    switch (request.path) {
      case '/api/upload/initiate': {
        const count = Math.max(1, Math.ceil(Number(body.fileSize) / options.partSize));
        return success(
          {
            uploadId: 'upload-1',
            key: 'collection/c/u/file',
            partSize: options.partSize,
            parts: Array.from({ length: count }, (_, index) => ({
              partNumber: index + 1,
              url: `${service.url}/bucket/${index + 1}`,
            })),
            expiresAt: '2026-11-21T10:30:00.000Z',
          },
          201,
        );
      }
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
    aborted: () => isAborted,
    completion: () => completion,
    mostAtOnce: () => most,
  };
}
