import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { userQuery } from '../../session/account.ts';
import { accountQueries } from '../../session/queries.ts';
import { texts } from '../../texts/security.ts';
import { Load } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { KeyUsesSection } from './key-uses.tsx';
import { ExportSection } from './export.tsx';
import { OneTimeCodesSection } from './one-time-codes.tsx';
import { PasskeysSection } from './passkeys.tsx';
import { PasswordSection } from './password.tsx';
import { ProvidersSection } from './providers.tsx';
import { RecoveryCodesSection } from './recovery-codes.tsx';
import { SessionsSection } from './sessions.tsx';

/** How the user signs in, and where they are signed in. */
export default function SecurityPage(): ReactNode {
  return (
    <Page title={texts.title} description={texts.description} width="narrow">
      <div className="flex flex-col gap-5">
        <SignIn />
        <SessionsSection />
        <KeyUsesSection />
        <ExportSection />
      </div>
    </Page>
  );
}

function SignIn(): ReactNode {
  const user = useQuery(userQuery);
  const overview = useQuery(accountQueries.security.overview.queryOptions());
  return (
    <Load query={user} skeleton={<SignInSkeleton />}>
      {(account) => (
        <Load query={overview} skeleton={<SignInSkeleton />}>
          {({ hasPassword, passkeys, totp, recoveryCodesLeft, identities }) => (
            <>
              <PasswordSection user={account} hasPassword={hasPassword} />
              <PasskeysSection passkeys={passkeys} hasCodes={totp !== null} />
              <OneTimeCodesSection totp={totp} hasPasskey={passkeys.length > 0} />
              {totp || passkeys.length > 0 ? (
                <RecoveryCodesSection left={recoveryCodesLeft} />
              ) : null}
              <ProvidersSection identities={identities} />
            </>
          )}
        </Load>
      )}
    </Load>
  );
}

function SignInSkeleton(): ReactNode {
  return (
    <Loading>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
        <Skeleton className="h-36" />
      </div>
    </Loading>
  );
}
