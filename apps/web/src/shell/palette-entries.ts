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
import { organizationsQuery, useUser } from '../session/account.ts';
import { switchOrganization } from '../session/switch-organization.ts';
import { useOrganizationQueries } from '../session/queries.ts';
import { texts } from '../texts/shell.ts';
import { texts as uploadTexts } from '../texts/uploads.ts';
import { requestSignOut } from '../unsent/request-sign-out.ts';
import { chooseFiles } from '../uploads/upload-request.ts';
import { accountPages, navigation } from './navigation.ts';
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

/** Returns the matches of a query: pages and actions by name, resources by the API's search. */
export function usePaletteEntries(query: string): readonly PaletteEntry[] {
  // Only the search is deferred: pressing Enter right after typing must run the entry that matches.
  const found = useFoundResources(useDeferredValue(query));
  const pages = usePages();
  const organizations = useOrganizations();
  const lowered = query.toLowerCase();
  const matches = ({ label }: PaletteEntry) => label.toLowerCase().includes(lowered);
  return [...pages, ...actions].filter(matches).concat(found, organizations.filter(matches));
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
  { label: account.signOut, icon: LogOut, run: requestSignOut },
].map((action) => ({ ...action, key: `action ${action.label}`, group: words.groups.actions }));

function usePages(): readonly PaletteEntry[] {
  const user = useUser();
  const navigate = useNavigate();
  return navigation
    .filter(({ isAdmin }) => !isAdmin || user?.platformRole === 'ADMIN')
    .flatMap(({ destinations }) => destinations)
    .concat(accountPages)
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
      void switchOrganization(type === 'PERSONAL' ? null : id, () =>
        navigate({ to: '/', ignoreBlocker: true }),
      ),
  }));
}

/** Maximum number of results of each type. */
const limit = 5;

function useFoundResources(q: string): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const enabled = q.length > 1;
  const shared = { enabled, keepPrevious: true };
  const queries = useOrganizationQueries();
  const collections = useQuery({
    ...queries.collections.list.queryOptions({ query: { q, limit, scope: 'organization' } }),
    ...shared,
  });
  const projects = useQuery({
    ...queries.projects.list.queryOptions({ query: { q, limit } }),
    ...shared,
  });
  const tasks = useQuery({
    ...queries.tasks.list.queryOptions({ query: { q, limit } }),
    ...shared,
  });
  const assets = useQuery({
    ...queries.assets.list.queryOptions({ query: { q, limit, scope: 'organization' } }),
    ...shared,
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
