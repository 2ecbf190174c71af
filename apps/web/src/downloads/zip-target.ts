import { saveFile } from '../ui/save-file.ts';

/** Where a ZIP goes. */
export interface ZipTarget {
  /** Maximum size of its files; undefined: that of the client. */
  readonly maxBytes: number | undefined;
  /** Writes it, and saves it at its end. Nothing is saved if the stream fails. */
  readonly write: (zip: ReadableStream<Uint8Array>, signal: AbortSignal) => Promise<void>;
}

/** Most that is kept in memory by a browser that can't write to a file. */
const maxBlobBytes = 500_000_000;

/** Chromium only; not in the types of the DOM. */
interface WithFilePicker {
  readonly showSaveFilePicker?: (options: {
    suggestedName: string;
    types: readonly { accept: Record<string, readonly string[]> }[];
  }) => Promise<FileSystemFileHandle & { readonly remove?: () => Promise<void> }>;
}

/**
 * Asks where to save a ZIP, if the browser can write to a file bit by bit. Must follow a click.
 *
 * @returns null if the user cancels
 */
export async function chooseZipTarget(fileName: string): Promise<ZipTarget | null> {
  const { showSaveFilePicker } = globalThis as WithFilePicker;
  if (!showSaveFilePicker) return memory(fileName);
  try {
    const types = [{ accept: { 'application/zip': ['.zip'] } }] as const;
    const handle = await showSaveFilePicker({ suggestedName: fileName, types });
    return {
      maxBytes: undefined,
      async write(zip, signal) {
        try {
          // It replaces the file only when it is closed.
          await zip.pipeTo(await handle.createWritable(), { signal });
        } catch (error) {
          // The picker has created an empty file.
          await handle.remove?.().catch(() => {});
          throw error;
        }
      },
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

function memory(fileName: string): ZipTarget {
  return {
    maxBytes: maxBlobBytes,
    async write(zip, signal) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
      const blob = new Response(readable).blob();
      // It fails for another reason than the ZIP, which is the one to tell.
      blob.catch(() => {});
      await zip.pipeTo(writable, { signal });
      saveFile(await blob, fileName);
    },
  };
}
