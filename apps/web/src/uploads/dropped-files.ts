/** What systems leave in folders for themselves; nobody means to upload it with a folder. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

export function isOfSystem({ name }: { readonly name: string }): boolean {
  return systemFiles.has(name);
}

/** The files of a drop, those in folders included. To be called before the event is over. */
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
    // A reader gives a hundred entries at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return files;
    for (const child of entries) {
      if (!isOfSystem(child)) files.push(...(await filesOf(child)));
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
