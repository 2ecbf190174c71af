import { ApiError, type Client } from '@atelier/client';
import { seedBoards, type SampleAccounts } from './board.ts';
import { clientUntil } from './client.ts';
import { latestCollections, personalCollections, seedLibrary, teamCollections } from './library.ts';
import { followMailedLink } from './mailed.ts';
import { seedPortraits } from './portraits.ts';
import { signInByProvider } from './sign-in.ts';

export interface DemoAccount {
  email: string;
  password: string;
}

export interface SeedOptions {
  apiUrl: string;
  /** Public URL of the API. */
  baseUrl: string;
  mailUrl: string;
  /** URL of the embedded sign-in provider, by which the members sign up; null = no members. */
  identityUrl: string | null;
  demo: DemoAccount;
  /** Ends the seed, which then rejects. */
  signal: AbortSignal;
}

const teamName = 'Boathouse Studio';

/** The members of the demo team; the sign-in page offers them. */
const members = [
  { email: 'mara.lindqvist@example.com', role: 'ADMIN' },
  { email: 'teo.okafor@example.com', role: 'MEMBER' },
  { email: 'yuki.tanabe@example.com', role: 'MEMBER' },
] as const;

type Member = (typeof members)[number];

/**
 * Creates the demo account if it is missing: registers it and verifies it by the mailed link.
 *
 * @throws Error with the failed step
 */
export async function seedAccount(options: SeedOptions): Promise<void> {
  await demoAccount(options);
}

/**
 * Creates the team of the demo account and its work with the API: invites, uploads, assigns. Existing records stay
 * unchanged, so the next start continues an interrupted seed.
 *
 * @throws Error with the failed step
 */
export async function seedSamples(options: SeedOptions): Promise<void> {
  const api = await demoAccount(options);
  const { signal } = options;
  const team = options.identityUrl === null ? [] : [seedTeam(options, api)];
  const personal = { organizationId: null, signal };
  await Promise.all([seedLibrary(api, personalCollections, personal), ...team]);
}

/** Seeds members, pictures and a project with work in progress. */
async function seedTeam(options: SeedOptions, api: Client): Promise<void> {
  const teamId = await demoTeam(api);
  const { signal } = options;
  const inTeam = { organizationId: teamId, signal };
  const [joined] = await Promise.all([
    Promise.all(members.map((member) => join({ ...options, api, teamId }, member))),
    seedLibrary(api, teamCollections, inTeam),
  ]);
  const [mara, teo, yuki] = joined;
  if (!mara || !teo || !yuki) throw new Error('unreachable: each of the members has joined');
  const demo = { api, id: (await api.auth.user()).id };
  const accounts = { demo, mara, teo, yuki };
  await seedPortraits(accounts, signal);
  await seedBoards(accounts, teamId);
  await seedLibrary(yuki.api, latestCollections, inTeam);
}

async function demoAccount({ apiUrl, mailUrl, demo, signal }: SeedOptions): Promise<Client> {
  const api = clientUntil(signal, apiUrl);
  if (await canLogIn(api, demo)) return api;
  await api.auth.register({ body: { ...demo, firstName: 'Iris', lastName: 'Halden' } });
  await followMailedLink(
    { mailUrl, email: demo.email, link: /\/verify-email\?token=([\w.-]+)/, signal },
    async (token) => (await api.auth.verifyEmail({ body: { token } }).result()).ok,
  );
  await api.auth.login({ body: demo });
  return api;
}

async function canLogIn(api: Client, demo: DemoAccount): Promise<boolean> {
  const login = await api.auth.login({ body: demo }).result();
  if (login.ok) return true;
  if (login.error instanceof ApiError && login.error.status === 400) return false;
  throw login.error;
}

async function demoTeam(api: Client): Promise<string> {
  const { items } = await api.organizations.list({});
  const there = items.find(({ name, type }) => type === 'TEAM' && name === teamName);
  return (there ?? (await api.organizations.create({ body: { name: teamName } }))).id;
}

interface Joining extends SeedOptions {
  /** Client of the inviting account. */
  api: Client;
  teamId: string;
}

async function join(
  { api, teamId, mailUrl, signal, ...where }: Joining,
  { email, role }: Member,
): Promise<SampleAccounts['mara']> {
  const theirs = await signInByProvider({ ...where, signal }, email);
  const { id } = await theirs.auth.user();
  const { items } = await theirs.organizations.list({});
  if (items.some((organization) => organization.id === teamId)) return { api: theirs, id };
  await revokeInvitations(api, { teamId, email });
  await api.organizations.invite({ params: { id: teamId }, body: { email, role } });
  await followMailedLink(
    { mailUrl, email, link: /\/invitations\/([\w.-]+)/, signal },
    async (token) =>
      (await theirs.organizations.acceptInvitation({ params: { token } }).result()).ok,
  );
  return { api: theirs, id };
}

/** Revokes invitations of an interrupted seed: their mails are lost, and are sent again only after ten minutes. */
async function revokeInvitations(
  api: Client,
  { teamId, email }: { teamId: string; email: string },
): Promise<void> {
  const params = { id: teamId };
  const query = { status: 'PENDING', q: email } as const;
  const { items } = await api.organizations.listInvitations({ params, query });
  for (const { id: invitationId } of items) {
    await api.organizations.revokeInvitation({ params: { ...params, invitationId } });
  }
}
