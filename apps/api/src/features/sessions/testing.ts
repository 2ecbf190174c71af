import { logIn as signInAgain } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';
import { noInput } from '../../testing/fixture-parts.ts';

export const sessionsFixtures: FeatureFixtures<'sessions'> = {
  inputs: {
    list: noInput,
    end: (team) => [{ params: { id: team.sessionId } }],
    endOthers: noInput,
  },
  endings: ['end', 'endOthers'],
  stories: {
    async 'sessions are ended, one and all others'({ api, walk, people: { ada, stranger } }) {
      const own = { resourceId: ada.id };
      const phone = await signInAgain(api, ada);
      await signInAgain(api, ada);
      const { body } = await call(api, 'sessions.list', { token: phone.token });
      const { id } = body.data.items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
      await walk('sessions.end', {
        as: ada,
        input: { params: { id } },
        recorded: { ...own, action: 'user.end_sessions' },
        refused: [{ token: stranger.token }],
      });
      await walk('sessions.endOthers', {
        as: ada,
        recorded: { ...own, action: 'user.end_sessions' },
      });
    },
  },
};
