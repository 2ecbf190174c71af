import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { users } from '../../db/schema/index.ts';
import { logIn, newUser, nextMail, somePassword, tokenIn } from '../accounts.ts';
import { call, someEmail } from '../api.ts';
import { avatarSteps } from '../avatars.ts';
import { Browser } from '../browser.ts';
import { somePng } from '../pictures.ts';
import type { Story } from './story.ts';

/** An address that `ADMIN_EMAILS` has to name; each test file's own, as all share one inbox. */
export const configuredAdmin = someEmail('root');

/** Everything that happens to accounts. */
export function accountStory({ api, walk, people: { ada, stranger } }: Story) {
  const accountOf = async (email: string) => {
    const [user] = await api.db.select().from(users).where(eq(users.email, email));
    if (!user) throw new Error(`no account of ${email}`);
    return user;
  };

  async function account() {
    const email = someEmail('newcomer');
    const body = { email, password: somePassword };
    await walk('auth.register', {
      input: { body },
      recorded: async () => {
        const { id } = await accountOf(email);
        return { action: 'user.register', actorId: id, resourceId: id };
      },
      refused: [{ body: { email, password: 'password' } }],
    });
    const { id } = await accountOf(email);
    const own = { actorId: id, resourceId: id };
    await walk('auth.verifyEmail', {
      input: { body: { token: tokenIn(await nextMail(email)) } },
      recorded: { ...own, action: 'user.verify_email', fields: ['accountStatus'] },
      refused: [{ body: { token: 'a-token-that-nobody-has' } }],
    });
    await walk('auth.requestPasswordReset', {
      input: { body: { email } },
      recorded: { ...own, action: 'user.request_password_reset' },
      repeatsBecause: 'every mail has a link of its own',
    });
    const password = 'another horse battery';
    await walk('auth.resetPassword', {
      input: { body: { token: tokenIn(await nextMail(email, 2)), password } },
      recorded: { ...own, action: 'user.reset_password' },
      refused: [{ body: { token: 'a-token-that-nobody-has', password } }],
    });
    const session = await walk('auth.login', {
      input: { body: { email, password } },
      recorded: { ...own, action: 'user.login' },
      refused: [{ body }],
      repeatsBecause: 'every login is a session of its own',
    });
    const rotated = await walk('auth.refresh', {
      input: { body: { refreshToken: session.body.data.token.refreshToken } },
      recorded: null,
      refused: [{ body: { refreshToken: 'no token' } }],
      repeatsBecause: 'a used token ends every session',
    });
    await walk('auth.logout', {
      input: { body: { refreshToken: rotated.body.data.refreshToken } },
      recorded: { ...own, action: 'user.logout' },
    });
  }

  async function administrator() {
    const body = { email: configuredAdmin, password: somePassword };
    await call(api, 'auth.register', { body });
    await call(api, 'auth.verifyEmail', {
      body: { token: tokenIn(await nextMail(configuredAdmin)) },
    });
    const { id } = await accountOf(configuredAdmin);
    await call(api, 'auth.requestPasswordReset', { body: { email: configuredAdmin } });
    const password = `${somePassword}, chosen`;
    const token = tokenIn(await nextMail(configuredAdmin, 2));
    await call(api, 'auth.resetPassword', { body: { token, password } });
    await walk('auth.login', {
      input: { body: { email: configuredAdmin, password } },
      recorded: { action: 'user.login', actorId: id, resourceId: id, beside: 'user.grant_admin' },
      repeatsBecause: 'every login is a session of its own',
    });
  }

  async function signIn(
    provider: 'google' | 'github',
    callback: 'auth.googleCallback' | 'auth.githubCallback',
  ) {
    const back = async (email: string) => {
      const browser = new Browser(api);
      const address = await browser.toCallback(provider, email);
      return {
        query: Object.fromEntries(address.searchParams),
        headers: { cookie: await browser.cookiesFor(address) },
      };
    };
    const enter = async (email: string, action: 'user.register' | 'user.link_identity') => {
      const input = await back(email);
      return walk(callback, {
        input,
        recorded: async () => {
          const { id } = await accountOf(email);
          return { action, actorId: id, resourceId: id };
        },
        refused: [{ query: { ...input.query, state: 'forged' } }, { headers: { cookie: '' } }],
      });
    };
    const newcomer = someEmail('grace');
    const { headers } = await enter(newcomer, 'user.register');
    const { id } = await accountOf(newcomer);
    const code = new URL(String(headers.get('location'))).searchParams.get('code');
    await walk('auth.exchange', {
      input: { body: { code } },
      recorded: { action: 'user.login', actorId: id, resourceId: id },
      refused: [{ body: { code: 'a-code-that-nobody-has' } }],
    });
    const { email } = await newUser(api, 'linked');
    await enter(email, 'user.link_identity');
  }

  async function profile() {
    const own = { resourceId: ada.id };
    const phone = await logIn(api, ada);
    await logIn(api, ada);
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
    await walk('profile.update', {
      as: ada,
      input: { body: { firstName: 'Ada', lastName: 'Lovelace' } },
      recorded: { ...own, action: 'user.update_profile', fields: ['firstName', 'lastName'] },
    });

    const picture = await somePng();
    const { body: started } = await walk('profile.startAvatarUpload', {
      as: ada,
      input: { body: { contentType: 'image/png', fileSize: picture.length } },
      recorded: null,
    });
    const { put } = avatarSteps(() => api);
    expect(await put(started.data, picture)).toBe(200);
    await walk('profile.completeAvatarUpload', {
      as: ada,
      input: { body: { key: started.data.key } },
      recorded: { ...own, action: 'user.update_avatar' },
      refused: [{ body: { key: 'avatar/of/nobody' } }, { token: stranger.token }],
    });
  }

  return {
    account,
    administrator,
    google: () => signIn('google', 'auth.googleCallback'),
    github: () => signIn('github', 'auth.githubCallback'),
    profile,
  };
}
