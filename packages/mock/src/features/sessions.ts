import { callerOf } from '../state/call.ts';
import type { Feature } from '../state/model.ts';
import { accountActivity, dismissSession } from './accounts.ts';

export const sessions: Feature = {
  operations: {
    'sessions.end': {
      respond: (call) => {
        const session = call.records.get('params.id');
        if (session) dismissSession(call.state, session);
        call.activities = [accountActivity(callerOf(call), 'end_sessions')];
        return { id: session?.id };
      },
    },
    'sessions.endOthers': {
      respond: (call) => {
        const { store } = call.state;
        const caller = callerOf(call);
        const others = store
          .all('session')
          .filter(({ id, ownerId }) => ownerId === caller.id && id !== call.session?.id);
        for (const session of others) dismissSession(call.state, session);
        call.activities = others.length > 0 ? [accountActivity(caller, 'end_sessions')] : [];
        return { endedCount: others.length };
      },
    },
  },
  kinds: {
    session: { computed: { isCurrent: ({ id }, { sessionId }) => id === sessionId } },
  },
};
