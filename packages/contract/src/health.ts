import { z } from 'zod/v4';
import { publicAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';

export const Health = z
  .object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.int().min(0) })
  .meta({
    id: 'Health',
    description: 'The process is alive. Does not check its backing services.',
    examples: [{ status: 'ok', version: '1.0.0', uptimeSeconds: 86 }],
  });

export const Readiness = z.object({ status: z.literal('ready') }).meta({
  id: 'Readiness',
  description: 'Every backing service responds.',
  examples: [{ status: 'ready' }],
});

export const health = {
  live: endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Liveness probe',
    description: 'Responds without any I/O.',
    access: publicAccess,
    rateLimit: 'none',
    success: ok('The service is up', Health),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/health/ready',
    summary: 'Readiness probe',
    description:
      'Checks the database, which has to take writes, and the object storage, within two seconds. A 503 says which is unavailable, or that the process is shutting down.',
    isAddition: true,
    access: publicAccess,
    rateLimit: 'none',
    success: ok('The service is ready', Readiness),
    errors: ['storage_unavailable'],
  }),
};
