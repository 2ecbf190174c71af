import { mailedToken, newAccount, type Account } from '../accounts.ts';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { sampleFile, upload } from '../uploading.ts';
import { invite } from '../inviting.ts';

const publicLinks: Check = {
  id: 'organization.public-links',
  group: 'organizations',
  alsoShows: ['assets'],
  title: 'a team controls the public links of its files; a personal organization does not',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token, personalOrganizationId } = owner;
    const { team, collectionId } = await newTeam(probe, token, 'Public links');
    const place = { token, organizationId: team, collectionId };
    const set = (id: string, publicLinks: string) =>
      probe.request('organizations.rename', { token, params: { id }, body: { publicLinks } });

    for (const [says, isPublic] of [
      ['OFF_FOR_NEW', false],
      ['ON_FOR_NEW', true],
    ] as const) {
      const response = await set(team, says);
      probe.dataIn('organizations.rename', response);
      const asset = await upload(probe, sampleFile(10), place);
      const { id, assetShortUrl } = asset;
      probe.expectFields({
        rule: 'organization.public-links',
        response,
        actual: asset,
        expected: { publicLinkEnabled: isPublic },
      });
      if (isPublic) await expectForbidden(probe, { set, token, team, id, assetShortUrl });
    }
    const personal = await set(personalOrganizationId, 'FORBIDDEN');
    probe.expectRefusal('organization.personal', personal, 'personal_organization');
  },
};

interface LinkedAsset {
  readonly set: (id: string, publicLinks: string) => ReturnType<Probe['request']>;
  readonly token: string;
  readonly team: string;
  readonly id: string;
  readonly assetShortUrl: string;
}

/** Expects a team that forbids public links to disable existing ones and to refuse new ones. */
async function expectForbidden(probe: Probe, { set, token, team, id, assetShortUrl }: LinkedAsset) {
  const params = { code: assetShortUrl.split('/').at(-1) ?? '' };
  probe.dataIn('organizations.rename', await set(team, 'FORBIDDEN'));
  const followed = await probe.request('assets.followShortLink', { params });
  probe.expectRefusal('organization.public-links', followed, 'not_found');
  const link = (publicLinkEnabled: boolean) =>
    probe.request('assets.update', {
      token,
      organizationId: team,
      params: { id },
      body: { publicLinkEnabled },
    });
  probe.dataIn('assets.update', await link(false));
  probe.expectRefusal('organization.public-links', await link(true), 'public_links_forbidden');
}

const assetsOfOthers: Check = {
  id: 'collection.assets-of-others',
  group: 'collections',
  title: 'a member can not delete or restore a collection that holds assets of others',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const { team } = await newTeam(probe, token, 'Assets of others');
    const guest = await newMember(probe, { token, team });
    const { id } = await probe.succeed('collections.create', {
      token: guest.token,
      organizationId: team,
      body: { title: 'Shared' },
    });
    const rule = 'collection.assets-of-others';
    const as = (caller: string) => ({ token: caller, organizationId: team, params: { id } });
    await upload(probe, sampleFile(10), { token, organizationId: team, collectionId: id });
    const kept = await probe.request('collections.remove', as(guest.token));
    probe.expectRefusal(rule, kept, 'collection_has_others_assets');
    await probe.succeed('collections.remove', as(token));
    const binned = await probe.request('collections.restore', as(guest.token));
    probe.expectRefusal(rule, binned, 'collection_has_others_assets');
    await probe.succeed('collections.restore', as(token));
  },
};

/** Creates an account that is a MEMBER of the team. */
async function newMember(probe: Probe, { token, team }: { token: string; team: string }) {
  const guest: Account = await newAccount(probe, 'member');
  await invite(probe, { token, teamId: team, email: guest.email, role: 'MEMBER' });
  const invitation = await mailedToken(probe, guest.email, 'invited');
  await probe.succeed('organizations.acceptInvitation', {
    token: guest.token,
    params: { token: invitation },
  });
  return guest;
}

async function newTeam(probe: Probe, token: string, name: string) {
  const { id: team } = await probe.succeed('organizations.create', { token, body: { name } });
  const { id: collectionId } = await probe.succeed('collections.create', {
    token,
    organizationId: team,
    body: { title: name },
  });
  return { team, collectionId };
}

export const teamFileScenarios: readonly Check[] = [publicLinks, assetsOfOthers];
