import type { Provider } from 'oidc-provider';

type KoaMiddleware = Parameters<Provider['use']>[0];

/** The provider is a Koa application; these are Koa's types as far as it shows them. */
export type Context = Parameters<KoaMiddleware>[0];
export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void>;
