import type { Provider } from 'oidc-provider';

type KoaMiddleware = Parameters<Provider['use']>[0];

/** The types of Koa, on which the provider is built, as far as it exports them. */
export type Context = Parameters<KoaMiddleware>[0];
export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void>;
