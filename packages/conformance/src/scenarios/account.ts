import { logIn, mailedToken, newAccount, newCredentials } from '../accounts.ts';
import { arrivalMs, eventually } from '../eventually.ts';
import { Abandoned } from '../findings.ts';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';

const deletion: Check = {
  id: 'account.deletion',
  group: 'account',
  title: 'an account that waits for its deletion is closed, until its mailed link keeps it',
  run: async ({ probe }) => {
    const rule = 'account.deletion';
    const { token, email, password, ...account } = await newAccount(probe, 'leaving');
    const ask = (confirmation: string) =>
      probe.request('account.requestDeletion', { token, body: { confirmation } });
    probe.expectRefusal(rule, await ask('someone-else@example.com'), 'confirmation_mismatch');
    const team = await probe.succeed('organizations.create', { token, body: { name: 'Leaving' } });
    const refused = await ask(email);
    probe.expectRefusal(rule, refused, 'last_owner');
    probe.expect({
      rule,
      response: refused,
      holds: refused.text.includes(team.id),
      expected: 'the id of the team that would have no owner, in `errors`',
    });
    await probe.succeed('organizations.remove', {
      token,
      params: { id: team.id },
      query: { confirmName: 'Leaving' },
    });
    await probe.succeed('account.requestDeletion', { token, body: { confirmation: email } });
    probe.expectRefusal(rule, await probe.request('auth.user', { token }), 'unauthenticated');
    const { refreshToken } = account;
    const rotated = await probe.request('auth.refresh', { body: { refreshToken } });
    probe.expectRefusal(rule, rotated, 'access_denied');
    const attempt = (body: object) => probe.request('auth.login', { body });
    const closed = await attempt({ email, password });
    probe.expectRefusal(rule, closed, 'account_deletion_pending');
    const wrong = await attempt({ email, password: 'not the password' });
    probe.expectFixedRefusal(rule, wrong, 'invalid_credentials');

    const used = { token: await mailedToken(probe, email, 'deleted') };
    const forged = { token: `${used.token}x` };
    const cancel = (body: object) => probe.request('account.cancelDeletion', { body });
    probe.expectRefusal(rule, await cancel(forged), 'invalid_or_expired_token');
    await probe.succeed('account.cancelDeletion', { body: used });
    probe.expectRefusal(rule, await cancel(used), 'invalid_or_expired_token');
    await logIn(probe, { email, password });
  },
};

const emailChange: Check = {
  id: 'account.email-change',
  group: 'account',
  title:
    'an email is changed by the link to the new one, and comes back by the link to the old one',
  run: async ({ probe }) => {
    const rule = 'account.email-change';
    const owner = await newAccount(probe, 'moving');
    const { email, password } = owner;
    const other = await logIn(probe, owner);
    const taken = await newAccount(probe, 'taken');
    const newEmail = newCredentials('moved').email;
    const ask = (body: object, token = owner.token) =>
      probe.request('account.requestEmailChange', { token, body });
    probe.expectRefusal(rule, await ask({ newEmail: email }), 'validation_failed');
    const toTaken = await ask({ newEmail: taken.email });
    const toFree = await ask({ newEmail });
    probe.expect({
      rule,
      response: toTaken,
      holds:
        toTaken.status === toFree.status &&
        toTaken.text.replaceAll(taken.email, '') === toFree.text.replaceAll(newEmail, ''),
      expected: 'the same response for an email that is taken',
    });

    const used = { token: await mailedToken(probe, newEmail, 'new email') };
    const confirm = (body: object) => probe.request('account.confirmEmailChange', { body });
    const forged = { token: `${used.token}x` };
    probe.expectRefusal(rule, await confirm(forged), 'invalid_or_expired_token');
    await probe.succeed('account.confirmEmailChange', { body: used });
    probe.expectRefusal(rule, await confirm(used), 'invalid_or_expired_token');
    await probe.succeed('auth.user', { token: owner.token });
    const ended = await probe.request('auth.user', { token: other.token });
    probe.expectRefusal(rule, ended, 'unauthenticated');
    const former = await probe.request('auth.login', { body: { email, password } });
    probe.expectFixedRefusal(rule, former, 'invalid_credentials');
    await logIn(probe, { email: newEmail, password });

    const back = { token: await mailedToken(probe, email, 'was changed') };
    const undo = (body: object) => probe.request('account.undoEmailChange', { body });
    probe.expectRefusal(rule, await undo(used), 'invalid_or_expired_token');
    await probe.succeed('account.undoEmailChange', { body: back });
    probe.expectRefusal(rule, await undo(back), 'invalid_or_expired_token');
    const gone = await probe.request('auth.user', { token: owner.token });
    probe.expectRefusal(rule, gone, 'unauthenticated');
    const token = await mailedToken(probe, email, 'reset');
    const chosen = `${password}, again`;
    await probe.succeed('auth.resetPassword', { body: { token, password: chosen } });
    const again = await logIn(probe, { email, password: chosen });
    probe.expectRefusal(rule, await ask({ newEmail }, again.token), 'email_change_blocked');
  },
};

const exported: Check = {
  id: 'account.export',
  group: 'account',
  title: 'an export is prepared once at a time, and is a ZIP for its own account only',
  run: async ({ probe }) => {
    const rule = 'account.export';
    const { token } = await newAccount(probe, 'exporting');
    const none = await probe.succeed('account.latestExport', { token });
    const asked = await Promise.all(
      Array.from({ length: 3 }, () => probe.request('account.requestExport', { token })),
    );
    const refused = asked.filter(({ status }) => status !== 201);
    for (const response of asked) {
      probe.expect({
        rule,
        response,
        holds: none.export === null && refused.length === 2,
        expected: 'one of three exports that are requested at once',
      });
    }
    for (const response of refused) probe.expectRefusal(rule, response, 'export_pending');
    const ready = await preparedExport(probe, token);
    const latest = await probe.request('account.latestExport', { token });
    const file = await fetch(ready.url ?? '');
    const content = new Uint8Array(await file.arrayBuffer());
    const start = String.fromCharCode(...content.subarray(0, 2));
    probe.expect({
      rule,
      response: latest,
      holds: file.ok && start === 'PK' && content.length === ready.sizeBytes,
      expected: 'the URL of a ZIP of `sizeBytes` bytes in a confirmed session',
      actual: `${file.status}, ${content.length} bytes that begin with ${start}`,
    });
    const params = { id: ready.id };
    const other = await newAccount(probe, 'not-exporting');
    const foreign = await probe.request('account.getExport', { token: other.token, params });
    probe.expectRefusal(rule, foreign, 'not_found');
  },
};

/** Waits until the newest export of an account is ready. */
async function preparedExport(probe: Probe, token: string) {
  const { export: requested } = await probe.succeed('account.latestExport', { token });
  if (!requested) throw new Abandoned('the export that was requested is gone');
  const params = { id: requested.id };
  const { found, response } = await eventually(
    async () => {
      const read = await probe.request('account.getExport', { token, params });
      return { found: probe.dataIn('account.getExport', read), response: read };
    },
    (read) => read.found.status !== 'PENDING',
  );
  probe.require({
    rule: 'account.export',
    response,
    holds: found.status === 'READY',
    expected: `an export that is READY within ${arrivalMs / 1_000} s`,
    actual: found.status,
  });
  return found;
}

export const accountScenarios: readonly Check[] = [deletion, emailChange, exported];
