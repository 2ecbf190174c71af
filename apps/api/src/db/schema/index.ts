export * from './accounts.ts';
export * from './activities.ts';
export * from './library.ts';
export * from './organizations.ts';
export * from './rate-limits.ts';
