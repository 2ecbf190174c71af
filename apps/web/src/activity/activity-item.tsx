import type { Activity } from '@atelier/client';
import type { ResourceIcon } from '@atelier/client/resources';
import {
  Activity as ActivityIcon,
  Bot,
  Building2,
  FileText,
  FolderOpen,
  KeyRound,
  ListTodo,
  Mail,
  MessageSquare,
  Share2,
  ShieldQuestionMark,
  SquareKanban,
  Tag,
  Upload,
  User,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useOrganization, useUser } from '../session/account.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Time } from '../ui/time.tsx';
import { ActivityChanges } from './activity-changes.tsx';
import { actorName } from './actor-name.ts';
import { resourceOf, sentenceOf } from './known.ts';
import { ResourceLink } from './resource-link.tsx';

/** Each icon that the contract names for a resource. */
const icons: Record<ResourceIcon, LucideIcon> = {
  user: User,
  bot: Bot,
  'building-2': Building2,
  users: Users,
  mail: Mail,
  'folder-open': FolderOpen,
  'file-text': FileText,
  upload: Upload,
  'square-kanban': SquareKanban,
  'list-todo': ListTodo,
  'message-square': MessageSquare,
  'key-round': KeyRound,
  tag: Tag,
  webhook: Webhook,
  'share-2': Share2,
  'shield-question-mark': ShieldQuestionMark,
};

interface ActivityItemProps {
  readonly activity: Activity;
  readonly aside?: ReactNode;
  /** `brief` hides the changed values. */
  readonly detail?: 'brief' | 'full' | undefined;
}

/** Shows one activity as a sentence: who did what, what changed and when. */
export function ActivityItem({ activity, aside, detail = 'full' }: ActivityItemProps): ReactNode {
  const { actor } = activity;
  const resource = resourceOf(activity.resourceType);
  const Icon = resource ? icons[resource.icon] : ActivityIcon;
  return (
    <li className="flex items-start gap-3 py-3">
      <span className="relative flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-muted">
        {actor ? <Avatar name={actor.name} size="fill" /> : <Icon aria-hidden className="size-4" />}
        {actor ? (
          <span className="absolute -right-1.5 -bottom-1.5 flex size-4.5 items-center justify-center rounded-full border border-line bg-surface">
            <Icon aria-hidden className="size-3" />
          </span>
        ) : null}
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <p className="wrap-anywhere">
          <ActivitySentence activity={activity} />
        </p>
        {/* On creation every field changes, so a list of changes says nothing. */}
        {detail === 'brief' || activity.action.endsWith('.create') ? null : (
          <ActivityChanges changes={activity.changes} />
        )}
        <p className="mt-0.5 text-xs text-ink-muted">
          <Time at={activity.createdAt} />
        </p>
      </div>
      {aside}
    </li>
  );
}

function ActivitySentence({ activity }: { readonly activity: Activity }): ReactNode {
  const { action } = activity;
  const user = useUser();
  const organization = useOrganization();
  const [before = '', after = ''] = sentenceOf(action).split('{name}');
  const name = actorName(activity, user?.id);
  const isInSelectedOrganization =
    activity.organizationId !== null && activity.organizationId === organization?.id;
  return (
    <>
      <bdi className="font-medium">{name}</bdi> {before}
      <ResourceLink activity={activity} isInSelectedOrganization={isInSelectedOrganization} />
      {after}
    </>
  );
}
