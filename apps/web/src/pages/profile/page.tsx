import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../../loading/lazy.tsx';
import { userQuery } from '../../session/account.ts';
import { texts } from '../../texts/profile.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { DeletionSection } from './deletion.tsx';
import { EmailSection } from './email.tsx';
import { ApiKeysSection, NotificationsSection, SecuritySection } from './links.tsx';
import { PictureSection } from './picture.tsx';
import { PreferencesSection } from './preferences.tsx';

const NamesSection = lazyPart(() => import('./names.tsx'));

export default function ProfilePage(): ReactNode {
  const user = useQuery(userQuery);
  return (
    <Page title={texts.title} description={texts.description} width="narrow">
      <Load query={user} skeleton={<ProfileSkeleton />}>
        {(account) => (
          <div className="flex flex-col gap-5">
            <PictureSection user={account} />
            <Suspense fallback={<Skeleton className="h-64" />}>
              <NamesSection user={account} />
            </Suspense>
            <EmailSection user={account} />
            <PreferencesSection />
            <NotificationsSection />
            <SecuritySection />
            <ApiKeysSection />
            <DeletionSection user={account} />
          </div>
        )}
      </Load>
    </Page>
  );
}

function ProfileSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-40" />
        <Skeleton className="h-56" />
        <Skeleton className="h-44" />
      </div>
    </Loading>
  );
}
