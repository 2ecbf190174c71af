import { deletionDelayDays } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { bodyOf, callerOf } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import { accountActivity, endSessions, mailToken, userOfToken } from './accounts.ts';
import { exportOperations } from './exports.ts';
import { emailChanges } from './email-changes.ts';
import { isActiveOwner } from './members.ts';

const delayMs = deletionDelayDays * 24 * 60 * 60 * 1000;

/** The teams without another owner, except one who leaves too. */
function teamsLedAlone({ state: { store } }: Call, caller: Stored): Stored[] {
  const leads = (member: Stored) =>
    isActiveOwner(member) &&
    store.find('user', member.fields['userId'])?.fields['accountStatus'] === 'VERIFIED';
  return store.all('organization').filter((team) => {
    const owners = store.all('member').filter(({ organizationId }) => organizationId === team.id);
    const leading = owners.filter(leads).map(({ fields }) => fields['userId']);
    return team.fields['type'] === 'TEAM' && leading.length === 1 && leading[0] === caller.id;
  });
}

function requestDeletion(call: Call): Fields {
  const { state } = call;
  const caller = callerOf(call);
  if (bodyOf(call)['confirmation'] !== caller.fields['email']) {
    throw new MockFailure('confirmation_mismatch', {
      message: 'The confirmation is not your email',
    });
  }
  const alone = teamsLedAlone(call, caller);
  if (alone.length > 0) {
    throw new MockFailure('last_owner', {
      errors: alone.map(({ id, fields }) => ({
        in: 'body',
        path: ['teams', id],
        code: 'last_owner',
        message: textOf(fields, 'name'),
      })),
    });
  }
  caller.fields['accountStatus'] = 'DELETION_PENDING';
  call.activities = [accountActivity(caller, 'request_deletion')];
  endSessions(state, caller.id);
  mailToken(state, caller, 'keep-account');
  return { deletesAt: new Date(state.nowMs() + delayMs).toISOString() };
}

function cancelDeletion(call: Call): Fields {
  const user = userOfToken(call, 'keep-account');
  user.fields['accountStatus'] = 'VERIFIED';
  call.activities = [accountActivity(user, 'cancel_deletion')];
  return { email: user.fields['email'] };
}

/** The mock deletes nobody: what waits, waits until it ends. */
export const account: Feature = {
  operations: {
    ...emailChanges,
    ...exportOperations,
    'account.requestDeletion': { respond: requestDeletion },
    'account.cancelDeletion': { respond: cancelDeletion },
  },
};
