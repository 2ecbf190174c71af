import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';

export const plansFixtures: FeatureFixtures<'plans'> = {
  inputs: {},
};
