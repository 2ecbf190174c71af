import { request, type ClientRequest, type IncomingMessage } from 'node:http';

interface Visibility {
  /** Whether the storage's CORS rules let a page read the ETag. */
  readonly exposesETag: boolean;
}

/** Implements the part of XMLHttpRequest that uploads use over real HTTP; sends two halves, to report progress. */
export function requestOverHttp({ exposesETag }: Visibility): unknown {
  return class {
    status = 0;
    onloadend: (() => void) | undefined;
    readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
    #request: ClientRequest | undefined;
    #headers: IncomingMessage['headers'] = {};
    #isOver = false;

    open(method: string, url: string) {
      this.#request = request(url, { method });
      this.#request.on('error', () => this.#end());
      this.#request.on('response', (response) => {
        this.status = response.statusCode ?? 0;
        this.#headers = response.headers;
        response.resume().on('end', () => this.#end());
      });
    }

    send(body: Blob) {
      void body.arrayBuffer().then((buffer) => {
        const bytes = Buffer.from(buffer);
        const half = Math.floor(bytes.length / 2);
        this.#request?.write(bytes.subarray(0, half));
        this.upload.onprogress?.({ loaded: half });
        this.#request?.end(bytes.subarray(half));
      });
    }

    abort() {
      this.status = 0;
      this.#request?.destroy();
      this.#end();
    }

    getAllResponseHeaders() {
      const visible = exposesETag ? `etag: ${this.#headers.etag}\r\n` : '';
      return `content-type: text/html\r\n${visible}`;
    }

    getResponseHeader(name: string) {
      if (!exposesETag) throw new Error(`Refused to get unsafe header "${name}"`);
      return this.#headers[name] ?? null;
    }

    #end() {
      if (this.#isOver) return;
      this.#isOver = true;
      this.onloadend?.();
    }
  };
}
