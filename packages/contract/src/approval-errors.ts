/** Errors of approvals, part of the catalogue. */
export const approvalErrors = {
  too_many_approvals: {
    status: 409,
    message: 'Too many calls of this key wait for an approval; decide on them first',
    when: '20 calls of the API key wait for an approval.',
  },
  approval_ended: {
    status: 409,
    message: 'This call was decided on, or its time is over',
    when: 'Deciding on a call that was refused, used, or has expired.',
  },
} as const;
