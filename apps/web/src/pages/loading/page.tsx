import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { errorText } from '../../session/error-texts.ts';
import { texts } from '../../texts/welcome.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { takeDestination } from '../destination.ts';
import { PublicFrame } from '../public-frame.tsx';
import { signIn, type SignIn } from './sign-in.ts';

const { loading } = texts;
const reasons: Readonly<Record<string, string | undefined>> = loading.reasons;

/** Where the browser comes back to from a sign-in provider. */
export default function LoadingPage(): ReactNode {
  const search = useSearch({ from: '/loading' });
  // As it was at first: the address loses it at once.
  const [{ code, error }] = useState(search);
  const [outcome, setOutcome] = useState<SignIn>();
  const { history } = useRouter();

  useEffect(() => {
    // Neither the history nor whoever looks over the shoulder needs the code.
    history.replace('/loading');
    if (!code) return;
    void signIn(code).then((answer) => {
      if (answer.error === undefined) history.replace(answer.destination);
      else setOutcome(answer);
    });
  }, [code, history]);

  if (code && !outcome) {
    return (
      <PublicFrame title={loading.title}>
        <Loading>
          <Skeleton className="h-9" />
        </Loading>
      </PublicFrame>
    );
  }
  return (
    <SignInFailed
      reason={outcome ? errorText(outcome.error) : reasonOf(error)}
      destination={outcome?.destination}
    />
  );
}

function SignInFailed({
  reason,
  destination: known,
}: {
  readonly reason: string;
  readonly destination: string | undefined;
}): ReactNode {
  const [destination] = useState(() => known ?? takeDestination());
  return (
    <PublicFrame title={loading.failed} description={reason}>
      <Link
        to="/login"
        search={destination === '/' ? {} : { redirect: destination }}
        className={`${buttonClass('primary')} w-full`}
      >
        {loading.again}
      </Link>
    </PublicFrame>
  );
}

function reasonOf(error: string | undefined): string {
  if (error === undefined) return loading.missing;
  return (Object.hasOwn(reasons, error) ? reasons[error] : undefined) ?? loading.reasons.unknown;
}
