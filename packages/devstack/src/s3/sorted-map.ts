import { compareUtf8 } from './names.ts';

/** A map with its keys in UTF-8 order. */
export class SortedMap<Value> {
  readonly #values: Map<string, Value>;
  readonly #keys: string[];

  constructor(entries: Iterable<readonly [string, Value]> = []) {
    this.#values = new Map(entries);
    this.#keys = [...this.#values.keys()].toSorted(compareUtf8);
  }

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    if (!this.#values.has(key)) this.#keys.splice(this.indexFrom(key), 0, key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (this.#values.delete(key)) this.#keys.splice(this.indexFrom(key), 1);
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  keyAt(index: number): string | undefined {
    return this.#keys[index];
  }

  /** Returns the index of the first key at or after `key`. */
  indexFrom(key: string): number {
    return this.#partition((candidate) => compareUtf8(candidate, key) < 0);
  }

  /** Returns the index of the first key after `key`. */
  indexAfter(key: string): number {
    return this.#partition((candidate) => compareUtf8(candidate, key) <= 0);
  }

  /** Returns the index of the first key after all keys with `prefix`. */
  indexPastPrefix(prefix: string): number {
    return this.#partition(
      (candidate) => candidate.startsWith(prefix) || compareUtf8(candidate, prefix) < 0,
    );
  }

  #partition(isBefore: (key: string) => boolean): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const key = this.#keys[middle];
      if (key !== undefined && isBefore(key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
