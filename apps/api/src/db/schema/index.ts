export * from './accounts.ts';
export * from './activities.ts';
export * from './idempotency.ts';
export * from './identities.ts';
export * from './avatars.ts';
export * from './library.ts';
export * from './organizations.ts';
export * from './rate-limits.ts';
