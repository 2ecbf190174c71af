import type { Organization, Role } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { api } from '../../session/api.ts';
import { Form } from '../../forms/form.tsx';
import { needsConfirmation } from '../../session/confirmed.ts';
import { errorText } from '../../ui/error-texts.ts';
import { useOrganizationMutation } from '../../session/queries.ts';
import { texts } from '../../texts/members.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, Textarea } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { emailsOf } from './emails.ts';
import { grantableRoles } from './rights.ts';
import { roles } from './search.ts';

const { inviting: words } = texts;
const maxInvitations = 20;
const email = z.email();

const schema = z.object({
  emails: z.string().check(
    z.refine((text) => emailsOf(text).length > 0, { error: words.none, abort: true }),
    z.refine((text) => malformed(text).length === 0, {
      error: ({ input }) => words.malformed(malformed(String(input)).join(', ')),
    }),
    z.refine((text) => emailsOf(text).length <= maxInvitations, words.tooMany),
  ),
  role: z.enum(roles),
});

function malformed(text: string): readonly string[] {
  return emailsOf(text).filter((one) => !z.safeParse(email, one).success);
}

interface Failure {
  readonly email: string;
  readonly reason: string;
}

interface InviteDialogProps {
  readonly team: Organization;
  readonly onClose: () => void;
}

export default function InviteDialog({ team, onClose }: InviteDialogProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [sentCount, setSentCount] = useState(0);
  const invite = useOrganizationMutation({
    change: (body: { readonly email: string; readonly role: Role }, options) =>
      api.organizations.invite({ params: { id: team.id }, body }, options),
    invalidates: [['organizations', 'listInvitations']],
    // The form shows the error beside the address.
    onFailed: () => {},
  });

  async function send({ emails, role }: z.output<typeof schema>): Promise<void> {
    const all = emailsOf(emails);
    const failed: Failure[] = [];
    // Sequential: if the plan allows only some of them, the first ones are invited.
    for (const [index, one] of all.entries()) {
      try {
        await invite.mutateAsync({ email: one, role });
      } catch (error) {
        const reason = errorText(error);
        failed.push({ email: one, reason });
        if (!needsConfirmation(error)) continue;
        // Who did not confirm for one is not asked for each.
        failed.push(...all.slice(index + 1).map((rest) => ({ email: rest, reason })));
        break;
      }
    }
    if (failed.length === 0) {
      notify(words.sent(all.length));
      onClose();
      return;
    }
    setSentCount(all.length - failed.length);
    setFailures(failed);
    setTyped(failed.map((failure) => failure.email).join('\n'));
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.hint}>
      <Form schema={schema} onSubmit={send}>
        {({ isBusy }) => (
          <>
            <Failures sentCount={sentCount} failures={failures} />
            <Textarea
              name="emails"
              label={words.emails}
              hint={words.emailsHint}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              onChange={({ target }) => setTyped(target.value)}
            />
            <Select name="role" label={words.role} defaultValue="MEMBER">
              {grantableRoles(team.myRole).map((role) => (
                <option key={role} value={role}>
                  {texts.roles[role]} – {texts.roleHints[role]}
                </option>
              ))}
            </Select>
            <div className="flex flex-wrap justify-end gap-2 pb-2">
              <Button onClick={onClose}>{shared.cancel}</Button>
              <Button tone="primary" type="submit" isBusy={isBusy}>
                {words.submit(emailsOf(typed).length)}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

interface FailuresProps {
  readonly sentCount: number;
  readonly failures: readonly Failure[];
}

/** Lists the invitations that failed, with reasons. */
function Failures({ sentCount, failures }: FailuresProps): ReactNode {
  if (failures.length === 0) return null;
  return (
    <div role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
      <p className="font-medium">{words.someFailed(sentCount)}</p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {failures.map(({ email: address, reason }) => (
          <li key={address} className="wrap-anywhere">
            {address}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
