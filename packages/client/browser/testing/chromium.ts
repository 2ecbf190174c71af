import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { build } from 'tsdown';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Chromium of this machine, if there is one; else says so. */
export function findChromium(): string | undefined {
  const found = places.find((path) => path && existsSync(path));
  if (!found) console.warn('Skipped: there is no Chromium here. CHROMIUM_PATH says where it is.');
  return found;
}

/** `host` is this machine, by a name that browsers don't trust: over HTTP, no secure context. */
export const insecureHost = 'atelier.test';

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`],
  });
}

/** The client and the uploader as one module for a page. */
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
