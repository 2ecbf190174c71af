import type { Asset } from '@atelier/client';
import { createStore } from '../ui/store.ts';

/** A file for a ZIP. */
export interface ZipFile {
  readonly name: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly lastModified: Date;
  /** Returns an address of its content, which stays the same for every address. */
  readonly addressOf: (signal: AbortSignal) => Promise<string>;
}

/** What to put into a ZIP. */
export interface ZipSource {
  /** Name of the file without its extension. */
  readonly title: string;
  /** Lists its files, also twice. Calls `onTotal` with their number once it is known. */
  readonly files: (
    signal: AbortSignal,
    onTotal?: (total: number) => void,
  ) => AsyncIterable<ZipFile>;
  /** Null for what is listed, whose number and size nothing tells ahead. */
  readonly total: { readonly files: number; readonly bytes: number } | null;
}

/** What a source throws when it has ended for good, with each of its files. */
export class SourceEnded extends Error {}

/** Assets to put into a ZIP. */
export interface AssetsForZip {
  /** Name of the file without its extension. */
  readonly title: string;
  readonly organizationId: string | null;
  /** The assets, or all those of a collection. */
  readonly assets: readonly Asset[] | { readonly collectionId: string };
}

/** A ZIP that is being downloaded, or was. */
export interface ZipDownload {
  readonly id: number;
  readonly source: ZipSource;
  readonly fileName: string;
  readonly phase: 'running' | 'done' | 'failed';
  /** Number of files in it so far. */
  readonly doneFiles: number;
  /** Number of files to come and done; null until it is known. */
  readonly totalFiles: number | null;
  readonly loadedBytes: number;
  /** Null until it is known. */
  readonly totalBytes: number | null;
  /** Names of files that couldn't be read, and are not in it. */
  readonly missing: readonly string[];
  readonly error?: unknown;
}

/** All downloads of this tab, oldest first. */
export const downloadList = createStore<readonly ZipDownload[]>([]);

export function updateDownload(id: number, change: Partial<ZipDownload>): void {
  downloadList.set(
    downloadList.get().map((item) => (item.id === id ? { ...item, ...change } : item)),
  );
}

export function removeDownload(id: number): void {
  downloadList.set(downloadList.get().filter((item) => item.id !== id));
}
