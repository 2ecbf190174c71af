import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});
const key = 'svc_organization_id';
const {
  forgetSelectedOrganization,
  hasSelectedOrganization,
  readSelectedOrganization,
  selectedOrganizationId,
  selectOrganization,
} = await import('./selected-organization.ts');

beforeEach(() => forgetSelectedOrganization());

test('what another tab has selected for a new user is selected here, too', () => {
  expect([hasSelectedOrganization(), selectedOrganizationId()]).toEqual([false, null]);
  stored.set(key, 'bens-team');
  expect([hasSelectedOrganization(), selectedOrganizationId()]).toEqual([true, 'bens-team']);
});

test.each([null, 'own-team'])('a switch in another tab leaves what is selected here: %s', (own) => {
  selectOrganization(own);
  stored.set(key, 'another-team');
  expect([hasSelectedOrganization(), selectedOrganizationId()]).toEqual([true, own]);
  readSelectedOrganization();
  expect(selectedOrganizationId()).toBe('another-team');
});

test('the personal organization is remembered as a selection', () => {
  selectOrganization(null);
  readSelectedOrganization();
  expect([hasSelectedOrganization(), selectedOrganizationId()]).toEqual([true, null]);
});
