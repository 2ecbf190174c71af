import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageLinkProps } from './markdown-link.tsx';

/** Links to a page of the app without leaving it. */
export function PageLink({ path, ...props }: PageLinkProps): ReactNode {
  return <Link to={path} preload={false} {...props} />;
}
