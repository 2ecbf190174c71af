import type { Feature } from '../state/model.ts';

const startedAt = Date.now();

export const health: Feature = {
  operations: {
    'health.live': {
      respond: () => ({
        status: 'ok',
        version: 'mock',
        uptimeSeconds: Math.floor((Date.now() - startedAt) / 1000),
      }),
    },
  },
};
