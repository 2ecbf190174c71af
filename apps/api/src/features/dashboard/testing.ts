import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';
import { noInput } from '../../testing/fixture-parts.ts';

export const dashboardFixtures: FeatureFixtures<'dashboard'> = {
  inputs: { summary: noInput },
};
