import type { IncomingMessage } from 'node:http';
import { S3Error } from './errors.ts';

/**
 * Request headers by lower-case name. Values are the received bytes as Latin-1 text, so they are signed, stored and
 * returned unchanged.
 */
export class HeaderMap {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(request: IncomingMessage) {
    this.#values = new Map(
      Object.entries(request.headersDistinct).map(([name, values]) => [name, values ?? []]),
    );
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /**
   * Returns the only value of a header.
   *
   * @throws S3Error `InvalidRequest` when it is repeated, because the values are ambiguous
   */
  get(name: string): string | undefined {
    const values = this.all(name);
    if (values.length > 1) {
      throw new S3Error('InvalidRequest', { message: `The header ${name} is repeated.` });
    }
    return values[0];
  }
}
