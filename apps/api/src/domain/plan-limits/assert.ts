import type { PlanLimits } from '@atelier/contract';
import type { z } from 'zod';
import { Failure } from '../../kernel/errors.ts';

/** A limit of a plan, by its name in the contract. */
export type PlanLimit = keyof z.infer<typeof PlanLimits>;

/**
 * Checks that an organization stays within its plan. Call it in the transaction, with
 * the organization locked.
 *
 * @param limits - those of the plan; null: no limit
 * @param wanted - the amount after the change
 * @throws Failure `plan_limit_reached` (409) that names the limit
 */
export function assertWithinPlan<Limit extends PlanLimit>(
  limits: Readonly<Record<Limit, number | null>>,
  limit: Limit,
  wanted: number,
): void {
  const allowed = limits[limit];
  if (allowed === null || wanted <= allowed) return;
  throw new Failure('plan_limit_reached', {
    message: `The plan allows ${allowed} for ${limit}; this would make ${wanted}`,
  });
}
