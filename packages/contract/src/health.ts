import { z } from 'zod';
import { publicAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';

export const Health = z
  .object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.int().min(0) })
  .meta({
    id: 'Health',
    description: 'The process is alive. Says nothing of its backing services.',
    examples: [{ status: 'ok', version: '1.0.0', uptimeSeconds: 86 }],
  });

export const Readiness = z.object({ status: z.literal('ready') }).meta({
  id: 'Readiness',
  description: 'Every backing service answers.',
  examples: [{ status: 'ready' }],
});

export const health = {
  live: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Liveness probe',
    description: 'Answers without any I/O.',
    access: publicAccess,
    rateLimit: 'none',
    success: ok('The service is up', Health),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/health/ready',
    summary: 'Readiness probe',
    description:
      'Asks the database and the object storage; 503 names the one that is away, or says that the process is stopping.',
    access: publicAccess,
    rateLimit: 'none',
    success: ok('The service is ready', Readiness),
    errors: ['storage_unavailable'],
  }),
};
