import { group } from './group.ts';

export const securityGroup = group({
  description:
    'What protects the account: its password, passkeys, one-time codes and recovery codes.',
  toolset: null,
  // Its activities are about the account, which the group auth declares.
  resources: {},
});
