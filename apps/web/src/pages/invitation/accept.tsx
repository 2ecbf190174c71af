import { ApiError, type InvitationPreview, type User } from '@atelier/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { accountKeys } from '../../session/account.ts';
import { errorText } from '../../ui/error-texts.ts';
import { selectOrganization } from '../../session/selected-organization.ts';
import { signOut } from '../../session/session.ts';
import { texts } from '../../texts/welcome.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { notify } from '../../ui/notices.tsx';
import { forgetInvitation } from '../remembered-invitation.ts';

const { invitation: words } = texts;

interface AcceptProps {
  readonly token: string;
  readonly invitation: InvitationPreview;
  readonly user: User;
  /** Called after the user has signed out to use another account. */
  readonly onSignOut: () => void;
}

/** Accepts an invitation as the signed-in user, who may not be the invited one. */
export function Accept({ token, invitation, user, onSignOut }: AcceptProps): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const acceptance = useMutation({
    mutationFn: () => api.organizations.acceptInvitation({ params: { token } }),
    async onSuccess({ organization }) {
      forgetInvitation();
      await client.invalidateQueries({ queryKey: accountKeys.organizations });
      selectOrganization(organization.id);
      notify(words.accepted(organization.name));
      await navigate({ to: '/' });
    },
  });
  const code: unknown = acceptance.error instanceof ApiError ? acceptance.error.code : undefined;
  const useOther = <Button onClick={() => void signOut().then(onSignOut)}>{words.useOther}</Button>;

  if (code === 'invitation_email_mismatch') {
    return (
      <Refused
        title={words.otherAccount}
        text={words.otherAccountHint(invitation.email, user.email)}
      >
        {useOther}
      </Refused>
    );
  }
  if (code === 'already_member') {
    return (
      <Refused title={words.already} text={words.alreadyHint}>
        <Link
          to="/"
          onClick={() => selectOrganization(invitation.organization.id)}
          className={buttonClass('primary')}
        >
          {texts.toApp}
        </Link>
      </Refused>
    );
  }
  if (code === 'invitation_gone' || code === 'not_found') {
    return (
      <Refused title={words.gone} text={words.goneHint}>
        <Link to="/" className={buttonClass()}>
          {texts.toApp}
        </Link>
      </Refused>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="mb-3 flex items-center gap-3">
        <Avatar name={user.displayName} url={user.avatarUrl} size="md" />
        <p className="min-w-0">
          <span className="block text-xs text-ink-muted">{words.signedInAs}</span>
          <span className="block truncate font-medium" title={user.email}>
            {user.email}
          </span>
        </p>
      </div>
      {acceptance.error ? (
        <p role="alert" className="mb-1 rounded-md bg-danger-soft px-3 py-2 text-danger">
          {errorText(acceptance.error)}
        </p>
      ) : null}
      <Button tone="primary" isBusy={acceptance.isPending} onClick={() => acceptance.mutate()}>
        {words.accept}
      </Button>
      {useOther}
    </div>
  );
}

interface RefusedProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Refused({ title, text, children }: RefusedProps): ReactNode {
  return (
    <div role="alert" className="flex flex-col gap-1">
      <h2>{title}</h2>
      <p className="mb-3 wrap-anywhere text-ink-muted">{text}</p>
      {children}
    </div>
  );
}
