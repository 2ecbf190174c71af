import { passkeyForSignIn } from '@atelier/client/passkeys';
import { hasBegunSignIn } from '@atelier/client/sign-in';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { kindsAskedFor, SecondFactorForm } from '../../forms/second-factor-form.tsx';
import { api } from '../../session/api.ts';
import { texts as factorTexts } from '../../texts/second-factor.ts';
import { errorText } from '../../ui/error-texts.ts';
import { texts } from '../../texts/welcome.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { takeDestination } from '../destination.ts';
import { PublicFrame } from '../public-frame.tsx';
import {
  readVisitor,
  signIn,
  signInWithSecondFactor,
  type SignInResult,
  type Visitor,
} from './sign-in.ts';

const { loading } = texts;
const reasons: Readonly<Record<string, string | undefined>> = loading.reasons;

/** Completes a sign-in: the provider redirects the browser to this page. */
export default function LoadingPage(): ReactNode {
  const search = useSearch({ from: '/loading' });
  // Kept in state, because the effect removes it from the URL.
  const [{ code, error }] = useState(search);
  const { history } = useRouter();
  useEffect(() => {
    // The code must not stay in the address bar or in the history.
    history.replace('/loading');
  }, [history]);
  return code ? (
    <ReceivedCode code={code} />
  ) : (
    <SignInFailed reason={reasonOf(error)} destination={undefined} />
  );
}

/**
 * Exchanges a code only if this tab started the sign-in: an attacker can send a link with a code of their own
 * account. An existing session is replaced only after the user has confirmed it.
 */
function ReceivedCode({ code }: { readonly code: string }): ReactNode {
  // Read once: the exchange clears it.
  const [isOwn] = useState(() => hasBegunSignIn());
  const [isConfirmed, setConfirmed] = useState(false);
  // Read once: after the exchange the visitor is signed in, and nothing is left to confirm.
  const [visitor, setVisitor] = useState<Visitor>();
  useEffect(() => {
    void readVisitor().then((found) => setVisitor((known) => known ?? found));
  }, []);
  if (!visitor) return <SigningIn />;
  if (!isOwn) {
    return visitor.isSignedIn ? (
      <StillSignedIn {...visitor} code={code} />
    ) : (
      <NotStartedHere code={code} />
    );
  }
  if (visitor.isSignedIn && !isConfirmed) {
    return <ConfirmReplacement {...visitor} onContinue={() => setConfirmed(true)} />;
  }
  return <Exchange code={code} />;
}

function Exchange({ code }: { readonly code: string }): ReactNode {
  const [failure, setFailure] = useState<SignInResult>();
  const { history } = useRouter();
  useEffect(() => {
    void signIn(code).then((result) => {
      if (result.error === undefined) history.replace(result.destination);
      else setFailure(result);
    });
  }, [code, history]);
  if (!failure) return <SigningIn />;
  const kinds = kindsAskedFor(failure.error);
  if (kinds) {
    return (
      <PublicFrame
        title={factorTexts.title}
        aside={
          <Link
            to="/login"
            search={searchTo(failure.destination)}
            className="font-medium text-accent underline-offset-4 hover:underline"
          >
            {factorTexts.otherAccount}
          </Link>
        }
      >
        <SecondFactorForm
          kinds={kinds}
          askPasskey={() => passkeyForSignIn(api)}
          onSubmit={async (secondFactor) => {
            await signInWithSecondFactor(code, secondFactor);
            history.replace(failure.destination);
          }}
        />
      </PublicFrame>
    );
  }
  return <SignInFailed reason={errorText(failure.error)} destination={failure.destination} />;
}

function SigningIn(): ReactNode {
  return (
    <PublicFrame title={loading.title}>
      <Loading>
        <Skeleton className="h-9" />
      </Loading>
    </PublicFrame>
  );
}

/** The code of a sign-in that began in a program: only that program can exchange it. */
function CommandLineCode({ code }: { readonly code: string }): ReactNode {
  return (
    <details className="mt-6 text-sm">
      <summary className="cursor-pointer">{loading.commandLine}</summary>
      <p className="mt-2">{loading.commandLineHint}</p>
      <code className="mt-2 block break-all select-all">{code}</code>
    </details>
  );
}

function NotStartedHere({ code }: { readonly code: string }): ReactNode {
  return (
    <PublicFrame title={loading.notStartedHere} description={loading.notStartedHereHint}>
      <Link to="/login" className={`${buttonClass('primary')} w-full`}>
        {loading.startAgain}
      </Link>
      <CommandLineCode code={code} />
    </PublicFrame>
  );
}

function StillSignedIn({ email, code }: Visitor & { readonly code: string }): ReactNode {
  return (
    <PublicFrame
      title={loading.stillSignedIn}
      description={loading.stillSignedInHint(email ?? loading.unknownAccount)}
    >
      <div className="flex flex-col gap-2">
        <Link to="/" className={buttonClass('primary')}>
          {loading.toApp}
        </Link>
        <Link to="/login" className={buttonClass()}>
          {loading.otherAccount}
        </Link>
      </div>
      <CommandLineCode code={code} />
    </PublicFrame>
  );
}

function ConfirmReplacement({
  email,
  onContinue,
}: Visitor & { readonly onContinue: () => void }): ReactNode {
  const { history } = useRouter();
  return (
    <PublicFrame
      title={loading.confirm}
      description={loading.confirmHint(email ?? loading.unknownAccount)}
    >
      <div className="flex flex-col gap-2">
        <Button tone="primary" onClick={onContinue}>
          {loading.continue}
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
        search={searchTo(destination)}
        className={`${buttonClass('primary')} w-full`}
      >
        {loading.again}
      </Link>
    </PublicFrame>
  );
}

/** Returns the search parameters of a sign-in that leads there. */
function searchTo(destination: string): { readonly redirect?: string } {
  return destination === '/' ? {} : { redirect: destination };
}

function reasonOf(error: string | undefined): string {
  if (error === undefined) return loading.missing;
  return (Object.hasOwn(reasons, error) ? reasons[error] : undefined) ?? loading.reasons.unknown;
}
