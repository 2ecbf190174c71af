import type { Check } from './check.ts';
import { authenticationChecks } from './generic/authentication.ts';
import { apiKeyChecks } from './generic/api-keys.ts';
import { conditionChecks } from './generic/conditions.ts';
import { inputChecks } from './generic/inputs.ts';
import { methodChecks, routeChecks } from './generic/methods.ts';
import { readingChecks } from './generic/reads.ts';
import { resourceChecks } from './generic/resources.ts';
import { listChecks } from './lists/checks.ts';
import { summaryChecks } from './lists/summary.ts';
import { accountScenarios } from './scenarios/account.ts';
import { apiKeyScenarios } from './scenarios/api-keys.ts';
import { approvalScenarios } from './scenarios/approvals.ts';
import { eventScenarios } from './scenarios/events.ts';
import { idempotencyChecks } from './scenarios/idempotency.ts';
import { libraryScenarios } from './scenarios/library.ts';
import { notificationScenarios } from './scenarios/notifications.ts';
import { organizationScenarios } from './scenarios/organizations.ts';
import { passkeyScenarios } from './scenarios/passkeys.ts';
import { planScenarios } from './scenarios/plans.ts';
import { profileScenarios } from './scenarios/profile.ts';
import { lostResponseScenarios } from './scenarios/lost-responses.ts';
import { keyPolicyScenarios } from './scenarios/key-policy.ts';
import { searchScenarios } from './scenarios/search.ts';
import { secondFactorScenarios } from './scenarios/second-factor.ts';
import { serviceAccountScenarios } from './scenarios/service-accounts.ts';
import { sessionScenarios } from './scenarios/sessions.ts';
import { signInScenarios } from './scenarios/sign-in.ts';
import { teamFileScenarios } from './scenarios/team-files.ts';
import { timelineScenarios } from './scenarios/timeline.ts';
import { uploadScenarios } from './scenarios/uploads.ts';
import { taskAssetScenarios } from './scenarios/task-assets.ts';
import { workScenarios } from './scenarios/work.ts';
import { shareScenarios } from './scenarios/shares.ts';
import { webhookScenarios } from './scenarios/webhooks.ts';

const [firstListCheck, ...otherListChecks] = listChecks;

/** Every check, in starting order. */
export const allChecks: readonly Check[] = [
  // Creates what the other checks of lists read.
  ...(firstListCheck ? [firstListCheck] : []),
  // The longest first, then those that wait for mails; the others fill the gaps.
  ...planScenarios,
  ...sessionScenarios,
  ...accountScenarios,
  ...secondFactorScenarios,
  ...passkeyScenarios,
  ...lostResponseScenarios,
  ...organizationScenarios,
  ...teamFileScenarios,
  ...profileScenarios,
  ...signInScenarios,
  ...uploadScenarios,
  ...libraryScenarios,
  ...workScenarios,
  ...taskAssetScenarios,
  ...timelineScenarios,
  ...eventScenarios,
  ...apiKeyScenarios,
  ...approvalScenarios,
  ...keyPolicyScenarios,
  ...serviceAccountScenarios,
  ...shareScenarios,
  ...webhookScenarios,
  ...notificationScenarios,
  ...searchScenarios,
  ...idempotencyChecks,
  ...readingChecks,
  ...routeChecks,
  ...methodChecks,
  ...authenticationChecks,
  ...apiKeyChecks,
  ...inputChecks,
  ...resourceChecks,
  ...conditionChecks,
  ...otherListChecks,
  ...summaryChecks,
];
