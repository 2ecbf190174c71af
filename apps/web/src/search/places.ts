import type { SearchType, Suggestion } from '@atelier/client';
import {
  File,
  FolderOpen,
  KanbanSquare,
  MessageSquare,
  Search,
  SquareCheck,
  User,
  type LucideIcon,
} from 'lucide-react';

// A deployment may add types while a page of an older build is open.
const typeIcons: Readonly<Record<string, LucideIcon | undefined>> = {
  task: SquareCheck,
  comment: MessageSquare,
  asset: File,
  collection: FolderOpen,
  project: KanbanSquare,
  person: User,
} satisfies Record<SearchType, LucideIcon>;

/** Returns the icon of what was found. */
export function typeIcon(type: SearchType): LucideIcon {
  return typeIcons[type] ?? Search;
}

/** A page of the app. */
export interface Place {
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
}

/** Returns the page of something that was found. */
export function placeOf({
  type,
  id,
  title,
  context,
}: Pick<Suggestion, 'type' | 'id' | 'title' | 'context'>): Place {
  const project = `/projects/${context.project?.id ?? ''}`;
  switch (type) {
    case 'task':
      return { path: project, search: { task: id } };
    case 'comment':
      return { path: project, search: { task: context.task?.id ?? '' } };
    case 'asset':
      return { path: `/assets/${id}`, search: {} };
    case 'collection':
      return { path: `/collections/${id}`, search: {} };
    case 'project':
      return { path: `/projects/${id}`, search: {} };
    case 'person':
      return { path: '/settings/members', search: { q: title } };
    default:
      return { path: '/search', search: { q: title } };
  }
}
