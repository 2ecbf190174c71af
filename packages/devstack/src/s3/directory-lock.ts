import { createHash } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Locks a data directory against a second server. The lock is a listening local socket, which the operating system
 * closes with its process, so a crash leaves no stale lock.
 *
 * @throws when another process holds the lock
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true });
  const name = createHash('sha256')
    .update(await realpath(directory))
    .digest('hex')
    .slice(0, 32);
  const address = socketAddress(`atelier-s3-${name}`);
  const server = (await tryListen(address)) ?? (await replaceStale(address));
  if (server === undefined) throw new Error(`Another S3 server uses the directory ${directory}.`);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function socketAddress(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

async function tryListen(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => resolve(server));
  });
}

// Only sockets with a path outlive their process.
async function replaceStale(address: string): Promise<Server | undefined> {
  if (process.platform === 'linux' || process.platform === 'win32') return undefined;
  const isAlive = await new Promise<boolean>((resolve) => {
    const socket = connect(address, () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  if (isAlive) return undefined;
  await rm(address, { force: true });
  return tryListen(address);
}
