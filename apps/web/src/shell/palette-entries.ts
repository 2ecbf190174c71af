import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Building2,
  File,
  FolderOpen,
  KanbanSquare,
  LogOut,
  Moon,
  SquareCheck,
  Sun,
  Upload,
  type LucideIcon,
} from 'lucide-react';
import { useDeferredValue } from 'react';
import { api } from '../api.ts';
import { organizationsQuery, useUser } from '../session/account.ts';
import { moveToOrganization } from '../session/organization-move.ts';
import { useOrganizationQuery } from '../session/queries.ts';
import { logOut } from '../session/session.ts';
import { texts } from '../texts/shell.ts';
import { texts as uploadTexts } from '../texts/uploads.ts';
import { chooseFiles } from '../uploads/upload-request.ts';
import { navigation, profile } from './navigation.ts';
import { chooseTheme } from './theme.ts';

export interface PaletteEntry {
  readonly key: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

const { palette: words, account } = texts;

/** What fits the query: pages and actions by their names, things by the search of the API. */
export function usePaletteEntries(query: string): readonly PaletteEntry[] {
  // Who types fast and presses Enter gets what fits the last letter; only searching may lag behind.
  const found = useFoundThings(useDeferredValue(query));
  const pages = usePages();
  const organizations = useOrganizations();
  const lowered = query.toLowerCase();
  const fits = ({ label }: PaletteEntry) => label.toLowerCase().includes(lowered);
  return [...pages, ...actions].filter(fits).concat(found, organizations.filter(fits));
}

const actions: readonly PaletteEntry[] = [
  { label: uploadTexts.choose, icon: Upload, run: () => chooseFiles() },
  { label: uploadTexts.chooseFolder, icon: Upload, run: () => chooseFiles({ isFolder: true }) },
  {
    label: `${account.theme}: ${account.themes.light}`,
    icon: Sun,
    run: () => chooseTheme('light'),
  },
  { label: `${account.theme}: ${account.themes.dark}`, icon: Moon, run: () => chooseTheme('dark') },
  { label: account.logOut, icon: LogOut, run: () => void logOut() },
].map((action) => ({ ...action, key: `action ${action.label}`, group: words.groups.actions }));

function usePages(): readonly PaletteEntry[] {
  const user = useUser();
  const navigate = useNavigate();
  return navigation
    .filter(({ isAdmin }) => !isAdmin || user?.platformRole === 'ADMIN')
    .flatMap(({ destinations }) => destinations)
    .concat(profile)
    .map(({ to, label, icon }) => ({
      key: to,
      group: words.groups.pages,
      label,
      icon,
      run: () => void navigate({ to }),
    }));
}

function useOrganizations(): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const { data = [] } = useQuery(organizationsQuery);
  return data.map(({ id, name, type }) => ({
    key: id,
    group: words.groups.organizations,
    label: name,
    icon: Building2,
    run: () =>
      void moveToOrganization(type === 'PERSONAL' ? null : id, () => navigate({ to: '/' })),
  }));
}

/** Most of each kind. */
const limit = 5;

function useFoundThings(q: string): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const enabled = q.length > 1;
  const shared = { enabled, keepPrevious: true };
  const collections = useOrganizationQuery({
    ...shared,
    key: ['collections', 'found', q],
    read: (options) =>
      api.collections.list({ query: { q, limit, scope: 'organization' } }, options),
  });
  const projects = useOrganizationQuery({
    ...shared,
    key: ['projects', 'found', q],
    read: (options) => api.projects.list({ query: { q, limit } }, options),
  });
  const tasks = useOrganizationQuery({
    ...shared,
    key: ['tasks', 'found', q],
    read: (options) => api.tasks.list({ query: { q, limit } }, options),
  });
  const assets = useOrganizationQuery({
    ...shared,
    key: ['assets', 'found', q],
    read: (options) => api.assets.list({ query: { q, limit, scope: 'organization' } }, options),
  });
  if (!enabled) return [];
  const { groups } = words;
  return [
    ...(collections.data?.items ?? []).map(({ id, title }) => ({
      key: id,
      group: groups.collections,
      label: title,
      icon: FolderOpen,
      run: () => void navigate({ to: '/collections/$id', params: { id } }),
    })),
    ...(projects.data?.items ?? []).map(({ id, name, key }) => ({
      key: id,
      group: groups.projects,
      label: name,
      hint: key,
      icon: KanbanSquare,
      run: () => void navigate({ to: '/projects/$id', params: { id } }),
    })),
    ...(tasks.data?.items ?? []).map(({ id, title, projectId }) => ({
      key: id,
      group: groups.tasks,
      label: title,
      icon: SquareCheck,
      run: () =>
        void navigate({ to: '/projects/$id', params: { id: projectId }, search: { task: id } }),
    })),
    ...(assets.data?.items ?? []).map(({ id, assetName }) => ({
      key: id,
      group: groups.assets,
      label: assetName,
      icon: File,
      run: () => void navigate({ to: '/assets/$id', params: { id } }),
    })),
  ];
}
