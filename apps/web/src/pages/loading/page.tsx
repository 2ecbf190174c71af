import { hasBegunSignIn } from '@atelier/client/sign-in';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { errorText } from '../../session/error-texts.ts';
import { texts } from '../../texts/welcome.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { takeDestination } from '../destination.ts';
import { PublicFrame } from '../public-frame.tsx';
import { readVisitor, signIn, type SignIn, type Visitor } from './sign-in.ts';

const { loading } = texts;
const reasons: Readonly<Record<string, string | undefined>> = loading.reasons;

/** Where the browser comes back to from a sign-in provider. */
export default function LoadingPage(): ReactNode {
  const search = useSearch({ from: '/loading' });
  // As it was at first: the address loses it at once.
  const [{ code, error }] = useState(search);
  const { history } = useRouter();
  useEffect(() => {
    // Neither the history nor whoever looks over the shoulder needs the code.
    history.replace('/loading');
  }, [history]);
  return code ? (
    <Arrival code={code} />
  ) : (
    <SignInFailed reason={reasonOf(error)} destination={undefined} />
  );
}

/**
 * A code is exchanged only for a sign-in that this tab began: anybody can send a link with a code of their own. And
 * a session is replaced only by who says so.
 */
function Arrival({ code }: { readonly code: string }): ReactNode {
  // As it was at first: the exchange forgets it.
  const [isOwn] = useState(() => hasBegunSignIn());
  const [isConfirmed, setConfirmed] = useState(false);
  // As it was at first, too: once the exchange has opened a session there is nothing left to ask.
  const [visitor, setVisitor] = useState<Visitor>();
  useEffect(() => {
    void readVisitor().then((found) => setVisitor((known) => known ?? found));
  }, []);
  if (!visitor) return <Working />;
  if (!isOwn) return visitor.isSignedIn ? <StillIn {...visitor} /> : <NotBegun />;
  if (visitor.isSignedIn && !isConfirmed) {
    return <AskFirst {...visitor} onGoOn={() => setConfirmed(true)} />;
  }
  return <Exchange code={code} />;
}

function Exchange({ code }: { readonly code: string }): ReactNode {
  const [outcome, setOutcome] = useState<SignIn>();
  const { history } = useRouter();
  useEffect(() => {
    void signIn(code).then((answer) => {
      if (answer.error === undefined) history.replace(answer.destination);
      else setOutcome(answer);
    });
  }, [code, history]);
  if (!outcome) return <Working />;
  return <SignInFailed reason={errorText(outcome.error)} destination={outcome.destination} />;
}

function Working(): ReactNode {
  return (
    <PublicFrame title={loading.title}>
      <Loading>
        <Skeleton className="h-9" />
      </Loading>
    </PublicFrame>
  );
}

function NotBegun(): ReactNode {
  return (
    <PublicFrame title={loading.notBegun} description={loading.notBegunHint}>
      <Link to="/login" className={`${buttonClass('primary')} w-full`}>
        {loading.startAgain}
      </Link>
    </PublicFrame>
  );
}

function StillIn({ email }: Visitor): ReactNode {
  return (
    <PublicFrame
      title={loading.stillIn}
      description={loading.stillInHint(email ?? loading.unknownAccount)}
    >
      <div className="flex flex-col gap-2">
        <Link to="/" className={buttonClass('primary')}>
          {loading.toApp}
        </Link>
        <Link to="/login" className={buttonClass()}>
          {loading.otherAccount}
        </Link>
      </div>
    </PublicFrame>
  );
}

function AskFirst({ email, onGoOn }: Visitor & { readonly onGoOn: () => void }): ReactNode {
  const { history } = useRouter();
  return (
    <PublicFrame title={loading.ask} description={loading.askHint(email ?? loading.unknownAccount)}>
      <div className="flex flex-col gap-2">
        <Button tone="primary" onClick={onGoOn}>
          {loading.goOn}
        </Button>
        <Button onClick={() => history.replace(takeDestination())}>{loading.stay}</Button>
      </div>
    </PublicFrame>
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
