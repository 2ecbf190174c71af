import type { Organization } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog, lazyPart } from '../../loading/lazy.tsx';
import { useOrganization } from '../../session/account.ts';
import { texts as members } from '../../texts/members.ts';
import { texts } from '../../texts/organization.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { exactTime, shortDate } from '../../ui/time-format.ts';
import { plansQuery } from '../plans/plans-query.ts';

const NameCard = lazyPart(() => import('./name-card.tsx'));
const PublicLinksCard = lazyPart(() => import('./public-links-card.tsx'));
const PublicAccessCard = lazyPart(() => import('./public-access-card.tsx'));
const MailContentCard = lazyPart(() => import('./mail-content-card.tsx'));
const AssistantsCard = lazyPart(() => import('./assistants-card.tsx'));
const AutomationCard = lazyPart(() => import('./automation-card.tsx'));
const SecurityCard = lazyPart(() => import('./security-card.tsx'));
const WebhooksCard = lazyPart(() => import('./webhooks-card.tsx'));
const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'));
const LeaveOrganization = lazyPart(() => import('./leave-organization.tsx'));

export default function OrganizationPage(): ReactNode {
  const organization = useOrganization();
  return (
    <Page
      title={texts.title}
      description={organization ? texts.description(organization.name) : null}
      width="narrow"
    >
      {organization ? (
        // The key resets the form state when the organization changes.
        <Settings key={organization.id} organization={organization} />
      ) : (
        <Loading>
          <Skeleton className="h-64" />
        </Loading>
      )}
    </Page>
  );
}

interface OrganizationProps {
  readonly organization: Organization;
}

function Settings({ organization }: OrganizationProps): ReactNode {
  const isManager = organization.myRole === 'OWNER' || organization.myRole === 'ADMIN';
  const isTeam = organization.type === 'TEAM';
  return (
    <div className="flex flex-col gap-5">
      {isManager ? (
        <Suspense fallback={<Skeleton className="h-52" />}>
          <NameCard organization={organization} />
        </Suspense>
      ) : null}
      {isManager && isTeam ? (
        <Suspense fallback={<Skeleton className="h-52" />}>
          {/* Resets the form when the setting changes elsewhere. */}
          <PublicLinksCard key={organization.publicLinks} organization={organization} />
        </Suspense>
      ) : null}
      {organization.myRole === 'VIEWER' ? null : (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <PublicAccessCard />
        </Suspense>
      )}
      {isManager && isTeam ? (
        <Suspense fallback={<Skeleton className="h-52" />}>
          <MailContentCard key={organization.mailContent} organization={organization} />
        </Suspense>
      ) : null}
      {isTeam && organization.myRole === 'OWNER' ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <SecurityCard organization={organization} />
        </Suspense>
      ) : null}
      {isManager && isTeam ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <AutomationCard />
        </Suspense>
      ) : null}
      {isManager ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <WebhooksCard />
        </Suspense>
      ) : null}
      <Suspense fallback={<Skeleton className="h-24" />}>
        <AssistantsCard />
      </Suspense>
      <FactsCard organization={organization} />
      {isTeam ? <LeaveCard organization={organization} /> : null}
      {isTeam && organization.myRole === 'OWNER' ? (
        <DeleteCard organization={organization} />
      ) : null}
    </div>
  );
}

function FactsCard({ organization }: OrganizationProps): ReactNode {
  const { type, slug, memberCount, planCode, myRole, createdAt } = organization;
  const planName =
    useQuery(plansQuery).data?.find(({ code }) => code === planCode)?.name ?? planCode;
  const facts = [
    { label: texts.facts.type, value: texts.facts.types[type] },
    { label: texts.facts.slug, value: slug },
    { label: texts.facts.members, value: memberCount.toLocaleString('en') },
    { label: texts.facts.plan, value: planName },
    { label: texts.facts.role, value: members.roles[myRole] },
  ];
  const mayAudit = type === 'TEAM' && (myRole === 'OWNER' || myRole === 'ADMIN');
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>{texts.facts.title}</h2>
        {mayAudit ? (
          <Link to="/admin/timeline" className={buttonClass('secondary', 'sm')}>
            {texts.facts.timeline}
          </Link>
        ) : null}
      </div>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {facts.map(({ label, value }) => (
          <div key={label} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
        <div className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-ink-muted">{texts.facts.created}</dt>
          <dd>
            <time dateTime={createdAt} title={exactTime(createdAt)}>
              {shortDate(createdAt)}
            </time>
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function LeaveCard({ organization }: OrganizationProps): ReactNode {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <ActionCard
      title={texts.leave.title}
      hint={texts.leave.hint}
      action={<Button onClick={() => setConfirming(true)}>{texts.leave.action}</Button>}
    >
      {isConfirming ? (
        <Suspense>
          <LeaveOrganization organization={organization} onClose={() => setConfirming(false)} />
        </Suspense>
      ) : null}
    </ActionCard>
  );
}

function DeleteCard({ organization }: OrganizationProps): ReactNode {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <ActionCard
      title={texts.remove.title}
      hint={texts.remove.hint}
      action={
        <Button tone="danger" onClick={() => setConfirming(true)}>
          {texts.remove.action}
        </Button>
      }
    >
      {isConfirming ? (
        <Suspense>
          <DeleteDialog organization={organization} onClose={() => setConfirming(false)} />
        </Suspense>
      ) : null}
    </ActionCard>
  );
}

interface ActionCardProps {
  readonly title: string;
  readonly hint: string;
  readonly action: ReactNode;
  readonly children?: ReactNode;
}

function ActionCard({ title, hint, action, children }: ActionCardProps): ReactNode {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 max-w-md">
        <h2>{title}</h2>
        <p className="mt-0.5 text-ink-muted">{hint}</p>
      </div>
      {action}
      {children}
    </Card>
  );
}
