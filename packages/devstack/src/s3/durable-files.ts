import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type FsyncMode = 'always' | 'never';

/**
 * Atomic file operations: each is complete or absent after a crash. They write to a temporary directory on the same
 * file system and finish with one rename.
 */
export class DurableFiles {
  readonly #temporaryDir: string;
  readonly #fsync: FsyncMode;

  constructor(temporaryDir: string, fsync: FsyncMode) {
    this.#temporaryDir = temporaryDir;
    this.#fsync = fsync;
  }

  /** Removes files of unfinished operations of an earlier process. */
  async clearTemporary(): Promise<void> {
    await rm(this.#temporaryDir, { recursive: true, force: true });
    await mkdir(this.#temporaryDir, { recursive: true });
  }

  async writeJson(path: string, value: unknown): Promise<void> {
    const temporary = this.#temporaryPath();
    try {
      await this.#writeNew(temporary, JSON.stringify(value));
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.syncDirectory(dirname(path));
  }

  /** Creates a directory with subdirectories and one JSON file atomically. */
  async createDirectory(path: string, content: DirectoryContent): Promise<void> {
    const temporary = this.#temporaryPath();
    try {
      await mkdir(temporary);
      for (const name of content.directories) await mkdir(join(temporary, name));
      await this.#writeNew(join(temporary, content.fileName), JSON.stringify(content.json));
      await this.syncDirectory(temporary);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      throw error;
    }
    await this.syncDirectory(dirname(path));
  }

  async removeDirectory(path: string): Promise<void> {
    const temporary = this.#temporaryPath();
    await rename(path, temporary);
    await this.syncDirectory(dirname(path));
    await rm(temporary, { recursive: true, force: true });
  }

  async removeFile(path: string): Promise<void> {
    await unlink(path);
    await this.syncDirectory(dirname(path));
  }

  async syncDirectory(path: string): Promise<void> {
    // Windows can't open a directory for syncing.
    if (this.#fsync === 'never' || process.platform === 'win32') return;
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  #temporaryPath(): string {
    return join(this.#temporaryDir, randomBytes(12).toString('hex'));
  }

  async #writeNew(path: string, text: string): Promise<void> {
    const handle = await open(path, 'wx');
    try {
      await handle.writeFile(text);
      if (this.#fsync === 'always') await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

interface DirectoryContent {
  directories: readonly string[];
  fileName: string;
  json: unknown;
}
