import { group } from './group.ts';

export const approvalsGroup = group({
  description: 'Calls of assistants that wait for the decision of a person.',
  toolset: null,
  resources: {
    approval: {
      title: 'Approvals',
      icon: 'shield-question-mark',
      page: '/approvals/{id}',
      audience: 'approval:decide',
      actions: {
        request: { label: 'Requested', sentence: 'asked for an approval: {name}' },
        approve: { label: 'Approved', sentence: 'approved the call: {name}' },
        refuse: { label: 'Refused', sentence: 'refused the call: {name}' },
      },
    },
  },
});
