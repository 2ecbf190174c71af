import type { Provider } from 'oidc-provider';

/** The provider is a Koa application; these are Koa's types as it re-exports them. */
export type Middleware = Parameters<Provider['use']>[0];
export type Context = Parameters<Middleware>[0];
