import { randomUUID } from 'node:crypto';
import { changingData, changingRequest, repeatingSuccess, withToken } from '../fault-builders.ts';
import type { InjectedFault } from './injected-fault.ts';

/** Faults of approvals, and of the mode of the keys that need them. */
export const approvalFaults: readonly InjectedFault[] = [
  {
    bug: 'asks twice for the same call',
    check: 'approval.request',
    rule: 'approval.request',
    fault: () => changingData('approvals.request', (data) => ({ ...data, id: randomUUID() })),
  },
  {
    bug: 'approves a call that was refused',
    check: 'approval.decide',
    rule: 'approval.decide',
    fault: () => repeatingSuccess('approvals.approve'),
  },
  {
    bug: 'keeps an approval that is taken back',
    check: 'approval.decide',
    rule: 'approval.decide',
    fault: () => changingData('approvals.refuse', (data) => ({ ...data, status: 'APPROVED' })),
  },
  {
    bug: 'shows every call to every member',
    check: 'approval.visibility',
    rule: 'approval.visibility',
    fault: ({ owner }) =>
      changingRequest('approvals.list', (request) => withToken(request, owner.token)),
  },
  {
    bug: 'lets any number of calls wait',
    check: 'approval.limit',
    rule: 'approval.limit',
    fault: () => repeatingSuccess('approvals.request'),
  },
  {
    bug: 'forgets the tool mode of a key that is replaced',
    check: 'api-key.life',
    rule: 'api-key.life',
    fault: () => changingData('apiKeys.rotate', (data) => ({ ...data, toolMode: 'ASK' })),
  },
];
