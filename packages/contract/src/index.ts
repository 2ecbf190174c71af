import { initContract } from '@ts-rest/core';
import { assets } from './assets.ts';
import { auth } from './auth.ts';
import { collections } from './collections.ts';
import { health } from './health.ts';
import { profile } from './profile.ts';
import { timeline } from './timeline.ts';
import { uploads } from './uploads.ts';

/** Every operation of the service, one room per group. */
export const contract = initContract().router({
  health,
  auth,
  profile,
  timeline,
  collections,
  assets,
  uploads,
});
export type Contract = typeof contract;

export * from './access.ts';
export * from './activity.ts';
export * from './assets.ts';
export * from './auth.ts';
export * from './collections.ts';
export * from './endpoint.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './health.ts';
export * from './pagination.ts';
export * from './primitives.ts';
export * from './profile.ts';
export * from './timeline.ts';
export * from './uploads.ts';
