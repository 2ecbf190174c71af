import { Plan, planCodes, type Plan as PlanType } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import type { State } from '../state/model.ts';
import type { Stored } from '../state/store.ts';

const [example] = (Plan.meta()?.examples ?? []) as readonly PlanType[];
const pricesCents = [0, 900, 2900];

/** Adds the plans of the contract: the first one is its example, the others allow ten times as much each. */
export function addPlans(state: State): void {
  if (!example) throw new Error('the contract has no example of a plan');
  for (const [index, code] of planCodes.entries()) {
    const limits = Object.entries(example.limits).map(([name, limit]) => [
      name,
      limit === null ? null : limit * 10 ** index,
    ]);
    state.store.add({
      kind: 'Plan',
      id: state.newId(),
      organizationId: null,
      ownerId: null,
      fields: {
        ...example,
        code,
        name: `${code[0] ?? ''}${code.slice(1).toLowerCase()}`,
        priceCents: pricesCents[index] ?? 0,
        limits: Object.fromEntries(limits) as unknown,
        isDefault: index === 0,
      },
    });
  }
}

type Limit = keyof PlanType['limits'];

/**
 * Checks amounts after a change by the limits that they are under.
 *
 * @throws MockFailure `plan_limit_reached`
 */
export function expectWithinPlan(
  state: State,
  organization: Stored | null,
  wanted: Partial<Record<Limit, number>>,
): void {
  // Its type lists the names.
  for (const [name, amount] of Object.entries(wanted) as [Limit, number][]) {
    const allowed = limitOf(state, organization, name);
    if (amount <= allowed) continue;
    throw new MockFailure('plan_limit_reached', {
      message: `The plan allows ${allowed} for ${name}; this would make ${amount}`,
    });
  }
}

/** Returns a limit of the plan of an organization, of the default plan for null; Infinity without one. */
export function limitOf({ store }: State, organization: Stored | null, name: Limit): number {
  const code = organization?.fields['planCode'] ?? planCodes[0];
  const plan = store.all('Plan').find(({ fields }) => fields['code'] === code);
  return (plan?.fields['limits'] as PlanType['limits'] | undefined)?.[name] ?? Infinity;
}
