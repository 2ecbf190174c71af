import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file of the storage, and its size as the service says. */
export interface BreakingFile {
  readonly name: string;
  readonly content: Buffer;
  /** Default: that of the content. */
  readonly fileSize?: number;
}

interface StorageOptions {
  /** Without, each request gets the whole file. */
  readonly hasRanges?: boolean;
  /** Which requests of a file, from 1, break in the middle of what they send; default: the first. */
  readonly breaks?: (attempt: number) => boolean;
}

export interface BreakingStorage extends AsyncDisposable {
  readonly url: string;
  /** Range headers of all requests of files, by name. */
  readonly ranges: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** Starts a service with one collection, whose storage breaks connections. */
export async function startBreakingStorage(
  files: readonly BreakingFile[],
  { hasRanges = true, breaks = (attempt) => attempt === 1 }: StorageOptions = {},
): Promise<BreakingStorage> {
  const ranges = new Map<string, (string | undefined)[]>();

  function listed(page: number, limit: number) {
    const items = files.map(({ name, content, fileSize = content.length }, index) => ({
      id: String(index),
      assetName: name,
      fileSize,
      currentVersion: 1,
      updatedAt: '2026-11-01T10:00:00.000Z',
    }));
    return {
      items: items.slice((page - 1) * limit, page * limit),
      pagination: { page, limit, total: items.length, hasNext: page * limit < items.length },
    };
  }

  function sendFile(response: ServerResponse, index: number, range: string | undefined): void {
    const { name = '', content = Buffer.alloc(0) } = files[index] ?? {};
    const attempts = ranges.get(name) ?? [];
    attempts.push(range);
    ranges.set(name, attempts);
    const start = hasRanges ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    if (start > 0 && start >= content.length) {
      response.writeHead(416).end();
      return;
    }
    const bytes = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': bytes.length,
      ...(start > 0 && {
        'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
      }),
    });
    if (!breaks(attempts.length)) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const sendData = (data: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ message: 'Fine', data }));
    };
    const [, index] = /^\/files\/(\d+)$/.exec(pathname) ?? [];
    if (index !== undefined) {
      sendFile(response, Number(index), request.headers.range);
    } else if (pathname.startsWith('/api/assets/collection/')) {
      sendData(listed(Number(searchParams.get('page') ?? 1), Number(searchParams.get('limit'))));
    } else {
      const id = /^\/api\/assets\/(\d+)\/download$/.exec(pathname)?.[1] ?? '';
      sendData({ url: `http://${request.headers.host}/files/${id}` });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ranges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
