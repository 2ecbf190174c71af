import { eq } from 'drizzle-orm';
import { users } from '../../db/generated/schema.ts';
import { logIn, newUser, nextMail, somePassword, tokenIn } from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import {
  configuredAdmin,
  type FeatureFixtures,
  type Story,
} from '../../testing/feature-fixtures.ts';
import { noInput, withBody } from '../../testing/fixture-parts.ts';

export const authFixtures: FeatureFixtures<'auth'> = {
  inputs: { user: noInput, confirm: withBody(noInput, () => ({ password: somePassword })) },
  stories: {
    'an account from its registration to its new password': account,
    'a sign-in of a configured administrator tells of both': administrator,
    'signing in through Google, as a newcomer and with an account': (story) =>
      signIn(story, 'google', 'auth.googleCallback'),
    'signing in through GitHub, as a newcomer and with an account': (story) =>
      signIn(story, 'github', 'auth.githubCallback'),
  },
};

async function account(story: Story) {
  const { api, walk } = story;
  const email = someEmail('newcomer');
  const body = { email, password: somePassword };
  await walk('auth.register', {
    input: { body },
    recorded: async () => {
      const { id } = await accountOf(story, email);
      return { action: 'user.register', actorId: id, resourceId: id };
    },
    refused: [{ body: { email, password: 'password' } }],
  });
  const { id } = await accountOf(story, email);
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
  await walk('auth.confirm', {
    as: await logIn(api, { email, password }),
    input: { body: { password } },
    recorded: { ...own, action: 'user.confirm' },
    refused: [{ body }],
    repeatsBecause: 'each time counts anew',
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

async function administrator(story: Story) {
  const { api, walk } = story;
  const body = { email: configuredAdmin(), password: somePassword };
  await call(api, 'auth.register', { body });
  await call(api, 'auth.verifyEmail', {
    body: { token: tokenIn(await nextMail(configuredAdmin())) },
  });
  const { id } = await accountOf(story, configuredAdmin());
  await call(api, 'auth.requestPasswordReset', { body: { email: configuredAdmin() } });
  const password = `${somePassword}, chosen`;
  const token = tokenIn(await nextMail(configuredAdmin(), 2));
  await call(api, 'auth.resetPassword', { body: { token, password } });
  await walk('auth.login', {
    input: { body: { email: configuredAdmin(), password } },
    recorded: { action: 'user.login', actorId: id, resourceId: id, beside: 'user.grant_admin' },
    repeatsBecause: 'every login is a session of its own',
  });
}

async function signIn(
  story: Story,
  provider: 'google' | 'github',
  callback: 'auth.googleCallback' | 'auth.githubCallback',
) {
  const { api, walk } = story;
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
        const { id } = await accountOf(story, email);
        return { action, actorId: id, resourceId: id };
      },
      refused: [{ query: { ...input.query, state: 'forged' } }, { headers: { cookie: '' } }],
    });
  };
  const newcomer = someEmail('grace');
  const { headers } = await enter(newcomer, 'user.register');
  const { id } = await accountOf(story, newcomer);
  const code = new URL(String(headers.get('location'))).searchParams.get('code');
  await walk('auth.exchange', {
    input: { body: { code } },
    recorded: { action: 'user.login', actorId: id, resourceId: id },
    refused: [{ body: { code: 'a-code-that-nobody-has' } }],
  });
  const { email } = await newUser(api, 'linked');
  await enter(email, 'user.link_identity');
}

async function accountOf({ api }: Story, email: string) {
  const [user] = await api.db.select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`no account of ${email}`);
  return user;
}
