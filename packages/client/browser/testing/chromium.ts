import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { build } from 'tsdown';

const candidates = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Finds Chromium; prints a hint if there is none. */
export function findChromium(): string | undefined {
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) console.warn('Skipped: found no Chromium. Set CHROMIUM_PATH to its path.');
  return found;
}

/** A name of the loopback address that browsers don't trust: over HTTP, no secure context. */
export const insecureHost = 'atelier.test';

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`],
  });
}

/** Bundles the client and the uploader into one module for a page. */
export async function bundleClient(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'client-browser-'));
  try {
    await build({
      entry: { client: join(import.meta.dirname, 'everything.ts') },
      outDir: directory,
      config: false,
      dts: false,
      format: 'esm',
      logLevel: 'error',
      platform: 'neutral',
      target: 'es2022',
    });
    const [file = ''] = await readdir(directory);
    return await readFile(join(directory, file), 'utf8');
  } finally {
    await rm(directory, { recursive: true });
  }
}
