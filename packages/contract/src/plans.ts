import { z } from 'zod/v4';
import { publicAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './envelope.ts';
import { pageOf, pageQuery } from './pagination.ts';
import { Id } from './primitives.ts';

export const planCodes = ['FREE', 'PRO', 'BUSINESS'] as const;

export const PlanCode = z.enum(planCodes).meta({
  id: 'PlanCode',
  description: 'The plan of an organization.',
  examples: ['FREE'],
});

const planLimit = z.int().min(0).nullable();

export const PlanLimits = z
  .object({
    members: planLimit,
    storageBytes: planLimit,
    maxFileBytes: planLimit,
    projects: planLimit,
    versionsPerAsset: planLimit,
    teamsPerAccount: planLimit.describe(
      'TEAM organizations on this plan that one account created.',
    ),
  })
  .meta({
    id: 'PlanLimits',
    description: 'Limits of an organization, and of the teams of an account; null without a limit.',
    examples: [
      {
        members: 50,
        storageBytes: 10_737_418_240,
        maxFileBytes: 5_368_709_120,
        projects: 100,
        versionsPerAsset: 100,
        teamsPerAccount: 20,
      },
    ],
  });

export const Plan = z
  .object({
    id: Id,
    code: PlanCode,
    name: z.string(),
    description: z.string(),
    priceCents: z.int().min(0).describe('Price of one interval, in hundredths of the currency.'),
    currency: z.string().describe('ISO 4217 code.'),
    interval: z.enum(['MONTH', 'YEAR']),
    limits: PlanLimits,
    features: z.array(z.string()),
    isDefault: z.boolean().describe('Whether a new organization starts with it.'),
  })
  .meta({
    id: 'Plan',
    description: 'A plan: its price and limits.',
    examples: [
      {
        id: '019aa4ef-0000-7a00-8b00-000000000001',
        code: 'FREE',
        name: 'Free',
        description: 'For people and small teams',
        priceCents: 0,
        currency: 'EUR',
        interval: 'MONTH',
        limits: {
          members: 50,
          storageBytes: 10_737_418_240,
          maxFileBytes: 5_368_709_120,
          projects: 100,
          versionsPerAsset: 100,
          teamsPerAccount: 20,
        },
        features: ['Collections with versions', 'Projects and tasks'],
        isDefault: true,
      },
    ],
  });
export type Plan = z.infer<typeof Plan>;

export const PlanPage = pageOf(Plan, 'PlanPage');

export const plans = {
  list: endpoint({
    method: 'GET',
    path: '/api/plan',
    summary: 'List plans',
    description: 'Cheapest first.',
    access: publicAccess,
    query: z.object(pageQuery),
    list: { order: ['priceCents'] },
    success: ok('Plans retrieved', PlanPage),
  }),
};
