import {
  Activity,
  Bell,
  BellRing,
  ChartNoAxesColumn,
  CreditCard,
  FolderOpen,
  History,
  House,
  KeyRound,
  KanbanSquare,
  ListTodo,
  Settings,
  ShieldCheck,
  ShieldQuestionMark,
  Star,
  Trash2,
  User,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { texts } from '../texts/shell.ts';

export interface Destination {
  readonly to:
    | '/'
    | '/notifications'
    | '/my-tasks'
    | '/activity'
    | '/collections'
    | '/favorites'
    | '/bin'
    | '/projects'
    | '/settings/members'
    | '/settings/plan'
    | '/settings/organization'
    | '/settings/profile'
    | '/settings/notifications'
    | '/settings/security'
    | '/settings/api-keys'
    | '/approvals'
    | '/admin/timeline'
    | '/admin/summary';
  readonly label: string;
  readonly icon: LucideIcon;
}

interface Group {
  readonly label?: string;
  /** Only for administrators of the service. */
  readonly isAdmin?: boolean;
  readonly destinations: readonly Destination[];
}

const { pages, groups } = texts;

/** Entries of the sidebar. */
export const navigation: readonly Group[] = [
  {
    destinations: [
      { to: '/', label: pages.dashboard, icon: House },
      { to: '/notifications', label: pages.notifications, icon: Bell },
      { to: '/my-tasks', label: pages.myTasks, icon: ListTodo },
      { to: '/activity', label: pages.activity, icon: Activity },
    ],
  },
  {
    label: groups.library,
    destinations: [
      { to: '/collections', label: pages.collections, icon: FolderOpen },
      { to: '/favorites', label: pages.favorites, icon: Star },
      { to: '/bin', label: pages.bin, icon: Trash2 },
    ],
  },
  {
    label: groups.work,
    destinations: [{ to: '/projects', label: pages.projects, icon: KanbanSquare }],
  },
  {
    label: groups.organization,
    destinations: [
      { to: '/settings/members', label: pages.members, icon: Users },
      { to: '/settings/plan', label: pages.plan, icon: CreditCard },
      { to: '/settings/organization', label: pages.organization, icon: Settings },
    ],
  },
  {
    label: groups.service,
    isAdmin: true,
    destinations: [
      { to: '/admin/timeline', label: pages.timeline, icon: History },
      { to: '/admin/summary', label: pages.summary, icon: ChartNoAxesColumn },
    ],
  },
];

/** Entries of the account menu. */
export const accountPages: readonly Destination[] = [
  { to: '/settings/profile', label: pages.profile, icon: User },
  { to: '/settings/notifications', label: pages.notificationSettings, icon: BellRing },
  { to: '/settings/security', label: pages.security, icon: ShieldCheck },
];

/** The calls that wait for a decision: in the sidebar while there are some. */
export const approvalsPage: Destination = {
  to: '/approvals',
  label: pages.approvals,
  icon: ShieldQuestionMark,
};

/** Pages that the palette lists besides those of the sidebar and the account. */
export const otherPages: readonly Destination[] = [
  { to: '/settings/api-keys', label: pages.apiKeys, icon: KeyRound },
  approvalsPage,
];
