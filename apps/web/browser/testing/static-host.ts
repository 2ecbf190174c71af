import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preview } from 'vite';
import { buildApp } from './build-app.ts';

const root = join(import.meta.dirname, '../..');

export interface StaticHost extends AsyncDisposable {
  readonly origin: string;
  /**
   * Deploys the app, built for an API on another origin, with the policy from the README.
   *
   * @param settings - additional environment variables of the build
   */
  deploy(
    where: { readonly api: string; readonly storage: string },
    settings?: Readonly<Record<string, string>>,
  ): Promise<void>;
}

/** Starts a static file server on its own origin. */
export async function startStaticHost(): Promise<StaticHost> {
  const outDir = mkdtempSync(join(tmpdir(), 'atelier-static-'));
  writeFileSync(join(outDir, 'index.html'), '<!doctype html><title>Nothing yet</title>');
  let policy = `default-src 'none'`;
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'error',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 4873 },
    plugins: [
      {
        name: 'policy',
        configurePreviewServer({ middlewares }) {
          middlewares.use((_, response, next) => {
            response.setHeader('content-security-policy', policy);
            next();
          });
        },
      },
    ],
  });
  return {
    origin: new URL(server.resolvedUrls?.local[0] ?? '').origin,
    async deploy({ api, storage }, settings) {
      await buildApp(outDir, api, settings);
      policy = policyFor(new URL(api).origin, new URL(storage).origin);
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(outDir, { recursive: true });
    },
  };
}

function policyFor(api: string, storage: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `worker-src 'self'`,
    `style-src 'self'`,
    `font-src 'self'`,
    `connect-src 'self' ${api} ${storage}`,
    `img-src 'self' ${api} ${storage} blob:`,
    `media-src ${storage} blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
