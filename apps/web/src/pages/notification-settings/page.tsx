import type { NotificationPreferences } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notification-settings.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { DigestSection } from './digest-section.tsx';
import { OrganizationsSection } from './organizations-section.tsx';
import { ReasonsSection } from './reasons-section.tsx';
import { SaveBar } from './save-bar.tsx';
import { preferencesQuery, useDraft } from './use-draft.ts';

export default function NotificationSettingsPage(): ReactNode {
  const query = useQuery(preferencesQuery);
  return (
    <Page title={texts.title} description={texts.description} width="narrow">
      <Load query={query} skeleton={<SettingsSkeleton />}>
        {(preferences) => <Settings preferences={preferences} />}
      </Load>
    </Page>
  );
}

function Settings({ preferences }: { readonly preferences: NotificationPreferences }): ReactNode {
  const draft = useDraft(preferences);
  const { shown, edit } = draft;
  return (
    <div className="flex flex-col gap-5">
      <ReasonsSection reasons={shown.reasons} onChange={(reasons) => edit({ reasons })} />
      <DigestSection digest={shown.digest} onChange={(digest) => edit({ digest })} />
      <OrganizationsSection preferences={shown} onChange={edit} />
      <SaveBar draft={draft} />
    </div>
  );
}

function SettingsSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-120" />
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </div>
    </Loading>
  );
}
