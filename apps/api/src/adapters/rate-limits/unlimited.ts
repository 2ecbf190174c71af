import type { RateLimiter } from '../../ports/rate-limiter.ts';

/** Limits nothing and counts nothing. */
export const unlimited: RateLimiter = {
  draw: async () => null,
  release: async () => {},
  settle: async () => {},
  isSpent: async () => false,
  clear: async () => {},
};
