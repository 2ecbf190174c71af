/** Files that operating systems create in folders; not uploaded with a folder. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

export function isSystemFile({ name }: { readonly name: string }): boolean {
  return systemFiles.has(name);
}

/** Returns the dropped files, including those in folders. Call it synchronously in the event handler. */
export async function droppedFiles({ items }: DataTransfer): Promise<readonly File[]> {
  const found = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files = await Promise.all(
    found.map(async ({ entry, file }) => {
      if (entry) return filesOf(entry);
      return file ? [file] : [];
    }),
  );
  return files.flat();
}

async function filesOf(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFile(entry)) {
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  }
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  for (;;) {
    // A reader returns at most 100 entries at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return files;
    for (const child of entries) {
      if (!isSystemFile(child)) files.push(...(await filesOf(child)));
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
