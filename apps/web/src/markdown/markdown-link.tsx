import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { linkTarget } from './links.ts';

interface MarkdownLinkProps {
  readonly url: string;
  readonly children: ReactNode;
}

const linkClass = 'text-accent underline underline-offset-2 hover:no-underline';

/** Links to a page of the app without leaving it, and to other addresses in a new tab. */
export function MarkdownLink({ url, children }: MarkdownLinkProps): ReactNode {
  const target = linkTarget(url, location.origin);
  if (!target) return children;
  if (target.kind === 'page') {
    return (
      <Link to={target.path} preload={false} className={linkClass}>
        {children}
      </Link>
    );
  }
  return (
    <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" className={linkClass}>
      {children}
    </a>
  );
}
