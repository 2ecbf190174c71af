import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operations, type ConfirmationNeed, type Operation, type OperationId } from './index.ts';

const needOf = ({ endpoint }: Operation) => endpoint.metadata.confirmation;
const idsOf = (found: readonly Operation[]) => found.map(({ id }) => id).toSorted();

/** What a stolen session may not do. Taking one away is a decision, to be made here too. */
const needs = {
  'account.requestDeletion': true,
  'account.requestEmailChange': true,
  'apiKeys.create': true,
  'apiKeys.rotate': true,
  'assets.emptyBin': true,
  'assets.purge': true,
  'organizations.invite': 'for-ownership',
  'organizations.remove': true,
  'organizations.removeMember': 'for-ownership',
  'organizations.updateMember': 'for-ownership',
  'organizations.updateSecurityPolicy': true,
  'security.addPasskey': true,
  'security.disableTotp': true,
  'security.enableTotp': true,
  'security.removeIdentity': true,
  'security.removePasskey': true,
  'security.renewRecoveryCodes': true,
  'security.startPasskey': true,
  'security.startTotp': true,
  'serviceAccounts.createKey': true,
  'serviceAccounts.rotateKey': true,
  'timeline.list': 'as-platform-administrator',
  'timeline.resource': 'as-platform-administrator',
  'timeline.summary': 'as-platform-administrator',
  'webhooks.rotateSecret': true,
} as const satisfies Partial<Record<OperationId, ConfirmationNeed>>;

test('no operation loses its confirmation unnoticed', () => {
  const declared = operations
    .filter((operation) => operation.id in needs)
    .map((operation) => [operation.id, needOf(operation)]);
  expect(Object.fromEntries(declared)).toEqual(needs);
});

/** The names of all properties of a schema, at any depth. */
function propertiesOf(schema: unknown): Set<string> {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('properties' in part && typeof part.properties === 'object') {
      for (const name of Object.keys(part.properties ?? {})) names.add(name);
    }
    for (const value of Object.values(part)) visit(value);
  };
  if (schema instanceof z.ZodType) visit(z.toJSONSchema(schema, { unrepresentable: 'any' }));
  return names;
}

/** An API key is shown beside its last four characters; projects and files have keys of another kind. */
function revealsCredential({ endpoint }: Operation): boolean {
  const names = propertiesOf(endpoint.metadata.success.body);
  const isApiKey = names.has('key') && names.has('lastFour');
  return isApiKey || names.has('secret') || names.has('recoveryCodes');
}

/** Takes a role that may be that of an owner. */
function takesOwnership({ endpoint }: Operation): boolean {
  const body: unknown = endpoint.body;
  if (!(body instanceof z.ZodType)) return false;
  return JSON.stringify(z.toJSONSchema(body, { unrepresentable: 'any' })).includes('"OWNER"');
}

describe('a confirmation is asked for by every operation', () => {
  test('whose response has a credential that was not there before', () => {
    const found = operations.filter(revealsCredential);
    expect(found.length).toBeGreaterThan(6);
    expect(idsOf(found.filter((operation) => needOf(operation) !== true))).toEqual([
      // Its secret opens nothing: what is sent is new, and what may be sent is shown to its maker anyway.
      'webhooks.create',
    ]);
  });

  test('that can make an owner', () => {
    const found = operations.filter(takesOwnership);
    expect(idsOf(found)).toEqual(['organizations.invite', 'organizations.updateMember']);
    expect(found.filter((operation) => needOf(operation) !== 'for-ownership')).toEqual([]);
  });

  test('that shows more to administrators of the platform than to others', () => {
    const found = operations.filter(
      ({ endpoint }) => endpoint.metadata.access.kind === 'administrator',
    );
    expect(found.length).toBeGreaterThan(2);
    expect(
      idsOf(found.filter((operation) => needOf(operation) !== 'as-platform-administrator')),
    ).toEqual([]);
  });

  test('that ends an organization or an account, or changes what proves an identity', () => {
    const proving = /^security\.(?:start|add|enable|disable|renew[A-Z]|remove)/;
    const found = operations.filter(
      ({ id }) =>
        proving.test(id) || ['organizations.remove', 'account.requestDeletion'].includes(id),
    );
    expect(found.length).toBeGreaterThan(9);
    expect(idsOf(found.filter((operation) => needOf(operation) !== true))).toEqual([]);
    // It takes the password and the second factor itself.
    const changed = operations.find(({ id }) => id === 'security.changePassword');
    const proofs = propertiesOf(changed?.endpoint.body);
    expect([proofs.has('currentPassword'), proofs.has('secondFactor')]).toEqual([true, true]);
  });
});
