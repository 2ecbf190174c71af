import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';

interface Range extends FilePropertyBag {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Bytes of a file on disk, which are read when they are asked for. */
export class LargeFile extends File {
  readonly #path: string;
  readonly #range: Range;

  constructor(path: string, range: Range) {
    super([], basename(path), range);
    this.#path = path;
    this.#range = range;
  }

  override get size(): number {
    return this.#range.end - this.#range.start;
  }

  override slice(from = 0, to = this.size, type = ''): Blob {
    const { start, lastModified } = this.#range;
    const at = (index: number) =>
      start + Math.min(Math.max(index < 0 ? this.size + index : index, 0), this.size);
    const first = at(from);
    const range = { type, start: first, end: Math.max(first, at(to)) };
    return new LargeFile(this.#path, { ...range, ...(lastModified && { lastModified }) });
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes();
    return bytes.buffer;
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await buffer(this.#read()));
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return Readable.toWeb(this.#read()) as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  #read(): Readable {
    const { start, end } = this.#range;
    // Its end is inclusive, so it can't read nothing.
    return start === end
      ? Readable.from([])
      : createReadStream(this.#path, { start, end: end - 1 });
  }
}
