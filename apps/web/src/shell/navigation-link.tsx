import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Destination } from './navigation.ts';

interface NavigationLinkProps {
  readonly destination: Destination;
  readonly onNavigate: (() => void) | undefined;
  /** Follows the label. */
  readonly children?: ReactNode;
}

/** One entry of the sidebar. */
export function NavigationLink(props: NavigationLinkProps): ReactNode {
  const { destination, onNavigate, children } = props;
  const { to, label, icon: Icon } = destination;
  return (
    <li>
      <Link
        to={to}
        {...(onNavigate && { onClick: onNavigate })}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {children}
      </Link>
    </li>
  );
}
