import type { TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions, type TestApi } from '../../../testing/api.ts';
import { newTeam } from '../../../testing/organizations.ts';
import { dayMs } from '../../../kernel/durations.ts';

/** What the tests of shares do: teams that share a collection. */
export function sharesOf(api: TestApi, user: TestUser) {
  const daysAfter = (at: string, days: number) =>
    new Date(Date.parse(at) + days * dayMs).toISOString();
  const inDays = (days: number) => daysAfter(api.clock.now().toISOString(), days);

  async function team() {
    const { id: organizationId } = await newTeam(api, user);
    const by = { token: user.token, organizationId };
    const { body } = await call(api, 'collections.create', { ...by, body: { title: 'Autumn' } });
    const collectionId = String(body.data.id);
    const target = { targetType: 'COLLECTION', targetId: collectionId };
    const create = (conditions: object = {}, options: CallOptions = {}) =>
      call(api, 'shares.create', { ...by, body: { ...target, ...conditions }, ...options });
    const newShare = async (conditions: object = {}) => (await create(conditions)).body.data;
    const on = (id: string, options: CallOptions = {}) => ({ ...by, params: { id }, ...options });
    const get = (id: string, options: CallOptions = {}) => call(api, 'shares.get', on(id, options));
    const update = (id: string, change: unknown, options: CallOptions = {}) =>
      call(api, 'shares.update', on(id, { body: change, ...options }));
    const list = async (query = {}) => (await call(api, 'shares.list', { ...by, query })).body.data;
    const setPolicy = (policy: object) =>
      call(api, 'shares.updatePolicy', { ...by, params: { id: organizationId }, body: policy });
    return {
      by,
      organizationId,
      collectionId,
      target,
      create,
      newShare,
      on,
      get,
      update,
      list,
      setPolicy,
    };
  }

  return { team, daysAfter, inDays };
}
