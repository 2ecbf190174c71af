import type { Asset } from '@atelier/client';
import type { DownloadOptions, ZipDownload as OpenedZip } from '@atelier/client/download';
import { createStore } from '../ui/store.ts';

/** What to put into a ZIP. */
export interface ZipSource {
  /** Name of the file without its extension. */
  readonly title: string;
  /** Lists its files, also twice, and begins to read them. */
  readonly open: (options: DownloadOptions) => Promise<OpenedZip>;
  /** Called when the share that has the files ends meanwhile. */
  readonly onEnded?: (error: unknown) => void;
}

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
  /** Number of files to come and done; null until they are listed. */
  readonly totalFiles: number | null;
  readonly loadedBytes: number;
  /** Null until they are listed. */
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
