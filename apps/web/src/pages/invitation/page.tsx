import { ApiError, type InvitationPreview } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { errorText } from '../../ui/error-texts.ts';
import { hasSession } from '../../session/session.ts';
import { texts as members } from '../../texts/members.ts';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { exactTime, shortDate } from '../../ui/time-format.ts';
import { PublicFrame } from '../public-frame.tsx';
import { Accept } from './accept.tsx';
import { SignInFirst } from './sign-in-first.tsx';

const { invitation: words } = texts;

export default function InvitationPage(): ReactNode {
  const { token } = useParams({ from: '/invitations/$token' });
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.organizations.getInvitation({ params: { token } }, { signal }),
    // A look that fails later would take away what is shown.
    staleTime: Infinity,
  });
  // Signing out clears the cache without a refetch; a new key loads the visitor again.
  const [visit, setVisit] = useState(1);
  const visitor = useQuery({
    queryKey: ['invitation', 'visitor', visit],
    // `null` = anonymous, also if the session has expired.
    queryFn: async ({ signal }) =>
      (await hasSession()) ? api.auth.user({}, { signal }).catch(() => null) : null,
    staleTime: 0,
  });

  if (preview.error) {
    return <Unusable error={preview.error} onRetry={() => void preview.refetch()} />;
  }
  if (!preview.data || visitor.data === undefined) {
    return (
      <PublicFrame title={words.title}>
        <Loading>
          <Skeleton className="h-40" />
        </Loading>
      </PublicFrame>
    );
  }
  const { organization, invitedBy } = preview.data;
  return (
    <PublicFrame
      title={words.heading(organization.name)}
      description={words.from(invitedBy.displayName)}
    >
      <Facts {...preview.data} />
      {visitor.data ? (
        <Accept
          token={token}
          invitation={preview.data}
          user={visitor.data}
          onSignOut={() => setVisit(visit + 1)}
        />
      ) : (
        <SignInFirst token={token} />
      )}
    </PublicFrame>
  );
}

function Facts({ email, role, expiresAt }: InvitationPreview): ReactNode {
  return (
    <dl className="mb-5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 rounded-lg bg-sunken px-4 py-3">
      <dt className="text-ink-muted">{words.facts.to}</dt>
      <dd className="wrap-anywhere">{email}</dd>
      <dt className="text-ink-muted">{words.facts.role}</dt>
      <dd>
        {members.roles[role]}
        <span className="block text-xs text-ink-muted">{members.roleHints[role]}</span>
      </dd>
      <dt className="text-ink-muted">{words.facts.until}</dt>
      <dd>
        <time dateTime={expiresAt} title={exactTime(expiresAt)}>
          {shortDate(expiresAt)}
        </time>
      </dd>
    </dl>
  );
}

interface UnusableProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

function Unusable({ error, onRetry }: UnusableProps): ReactNode {
  const status: unknown = error instanceof ApiError ? error.status : undefined;
  if (status === 410 || status === 404 || status === 400) {
    const isGone = status === 410;
    return (
      <PublicFrame
        title={isGone ? words.gone : words.unknown}
        description={isGone ? words.goneHint : words.unknownHint}
      >
        <Link to="/" className={`${buttonClass()} w-full`}>
          {texts.toApp}
        </Link>
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={words.failed} description={errorText(error)}>
      <Button className="w-full" onClick={onRetry}>
        {shared.retry}
      </Button>
    </PublicFrame>
  );
}
