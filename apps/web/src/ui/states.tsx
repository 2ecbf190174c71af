import { Link } from '@tanstack/react-router';
import { CircleAlert, Compass, Lock, WifiOff, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorText, isUnreachable } from './error-texts.ts';
import { texts } from '../texts/shared.ts';
import { Button, buttonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import { useOnline } from './use-online.ts';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** Suggests what to do next. */
  readonly children?: ReactNode;
  /** A button for that. */
  readonly action?: ReactNode;
  readonly tone?: 'calm' | 'danger' | undefined;
}

/** Replaces an empty list, or a page that can't be shown. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
  tone = 'calm',
}: EmptyStateProps): ReactNode {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <span
        className={classNames(
          'mb-4 flex size-12 items-center justify-center rounded-xl',
          tone === 'danger' ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent',
        )}
      >
        <Icon aria-hidden className="size-6" />
      </span>
      <h2>{title}</h2>
      {children ? <div className="mt-1.5 text-balance text-ink-muted">{children}</div> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Replaces content that couldn't be loaded. */
export function ErrorState({ error, onRetry }: ErrorStateProps): ReactNode {
  const isOnline = useOnline();
  if (!isOnline && isUnreachable(error)) {
    return (
      <div role="status">
        <EmptyState icon={WifiOff} title={texts.offline}>
          {texts.offlineHint}
        </EmptyState>
      </div>
    );
  }
  return (
    <div role="alert">
      <EmptyState
        icon={CircleAlert}
        tone="danger"
        title={texts.loadFailed}
        action={onRetry ? <Button onClick={onRetry}>{texts.retry}</Button> : null}
      >
        {errorText(error)}
      </EmptyState>
    </div>
  );
}

/** Shown when the user's role lacks the permission. */
export function Forbidden({
  children = texts.forbiddenHint,
}: {
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <EmptyState icon={Lock} title={texts.forbidden} action={<HomeLink />}>
      {children}
    </EmptyState>
  );
}

export function NotFound({
  children = texts.notFoundHint,
}: {
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <EmptyState icon={Compass} title={texts.notFound} action={<HomeLink />}>
      {children}
    </EmptyState>
  );
}

function HomeLink(): ReactNode {
  return (
    <Link to="/" className={buttonClass()}>
      {texts.toHome}
    </Link>
  );
}
