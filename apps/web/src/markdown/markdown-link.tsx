import type { ComponentType, ReactNode } from 'react';
import { linkTarget } from './links.ts';

export interface PageLinkProps {
  readonly path: string;
  readonly className: string;
  readonly children: ReactNode;
}

interface MarkdownLinkProps {
  readonly url: string;
  /** Links to pages of the app; without it, they open in a new tab like others. */
  readonly PageLink: ComponentType<PageLinkProps> | undefined;
  readonly children: ReactNode;
}

const linkClass = 'text-accent underline underline-offset-2 hover:no-underline';

/** Links to other addresses in a new tab. */
export function MarkdownLink({ url, PageLink, children }: MarkdownLinkProps): ReactNode {
  const target = linkTarget(url, location.origin);
  if (!target) return children;
  if (PageLink && target.kind === 'page') {
    return (
      <PageLink path={target.path} className={linkClass}>
        {children}
      </PageLink>
    );
  }
  return (
    <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" className={linkClass}>
      {children}
    </a>
  );
}
