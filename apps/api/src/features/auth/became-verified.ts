import type { Change } from '../../kernel/changes.ts';

/** The change of an account whose person has proven the mailbox, whichever way. */
export const becameVerified: Change = { field: 'accountStatus', from: 'PENDING', to: 'VERIFIED' };
