import type { FastifyInstance, HTTPMethods } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { metadataOf } from './requests.ts';

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type DeclaredMethods = ReadonlyMap<string, ReadonlySet<string>>;

/** Tracks the operations that are registered from here on; also applies their size limits. */
export function collectDeclaredMethods(app: FastifyInstance): DeclaredMethods {
  const declared = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const metadata = metadataOf(route.config);
    if (!metadata) return;
    route.bodyLimit = metadata.bodyLimitBytes;
    if (route.method === 'HEAD') return;
    declared.set(route.url, (declared.get(route.url) ?? new Set()).add(String(route.method)));
  });
  return declared;
}

/** Responds 405 with `Allow` when a contract path is requested with a method it doesn't support. */
export function refuseOtherMethods(app: FastifyInstance, declared: DeclaredMethods): void {
  for (const [url, known] of declared) {
    const allow = [...known, ...(known.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    app.route({
      method: methods.filter((method) => !known.has(method)),
      url,
      handler: async () => {
        throw new Failure('method_not_allowed', { headers: { allow } });
      },
    });
  }
}
