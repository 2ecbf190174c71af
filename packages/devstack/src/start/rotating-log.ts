import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

const maxBytes = 20 * 1024 * 1024;

/**
 * A log file of at most 40 MiB: the log of the previous run, or the first part of a long one, is kept as
 * `<path>.1`.
 */
export class RotatingLog {
  readonly #path: string;
  #descriptor: number;
  #sizeBytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#openEmpty();
  }

  write(text: string): void {
    if (this.#sizeBytes > maxBytes) {
      closeSync(this.#descriptor);
      this.#descriptor = this.#openEmpty();
    }
    this.#sizeBytes += writeSync(this.#descriptor, text);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #openEmpty(): number {
    if (statSync(this.#path, { throwIfNoEntry: false }) !== undefined) {
      renameSync(this.#path, `${this.#path}.1`);
    }
    this.#sizeBytes = 0;
    return openSync(this.#path, 'w', 0o600);
  }
}
