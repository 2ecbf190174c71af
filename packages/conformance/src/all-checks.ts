import type { Check } from './check.ts';
import { authenticationChecks } from './generic/authentication.ts';
import { conditionChecks } from './generic/conditions.ts';
import { inputChecks } from './generic/inputs.ts';
import { methodChecks, routeChecks } from './generic/methods.ts';
import { resourceChecks } from './generic/resources.ts';

/** Every check, in the order in which they are begun. */
export const allChecks: readonly Check[] = [
  ...routeChecks,
  ...methodChecks,
  ...authenticationChecks,
  ...inputChecks,
  ...resourceChecks,
  ...conditionChecks,
];
