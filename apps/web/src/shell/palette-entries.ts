import type { Suggestion } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import {
  Building2,
  Keyboard,
  LogOut,
  Moon,
  Search,
  Sun,
  Upload,
  type LucideIcon,
} from 'lucide-react';
import { placeOf, typeIcon } from '../search/places.ts';
import { recentOf, rememberRecent, type Recent } from '../search/recent.ts';
import { useSuggestions } from '../search/use-suggestions.ts';
import { organizationsQuery, useHasRole, useOrganization, useUser } from '../session/account.ts';
import { switchOrganization } from '../session/switch-organization.ts';
import { useOrganizationQueries } from '../session/queries.ts';
import { texts as keysTexts } from '../texts/keys.ts';
import { texts as words } from '../texts/palette.ts';
import { texts } from '../texts/shell.ts';
import { texts as uploadTexts } from '../texts/uploads.ts';
import { requestSignOut } from '../unsent/request-sign-out.ts';
import { chooseFiles } from '../uploads/upload-request.ts';
import { keysHelp } from './keys-state.ts';
import { accountPages, navigation, otherPages } from './navigation.ts';
import { chooseTheme } from './theme.ts';

export interface PaletteEntry {
  readonly key: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  /** Matches in the label. */
  readonly ranges?: readonly (readonly number[])[];
  readonly icon: LucideIcon;
  readonly run: () => void;
}

interface PaletteEntries {
  readonly entries: readonly PaletteEntry[];
  /** Whether what was found belongs to what is typed now. */
  readonly isCurrent: boolean;
  /** Says that the search found nothing, or is not available; null otherwise. */
  readonly note: string | null;
}

const { account } = texts;
const maxRecent = 6;

/**
 * Returns the matches of a query: pages and actions by name, and what the search suggests. What is known at once comes
 * first, so that what arrives later moves none of it.
 */
export function usePaletteEntries(typed: string): PaletteEntries {
  const query = typed.trim();
  const { isCurrent, items, others, hasFailed } = useSuggestions(typed.trimStart());
  const entryOf = useFoundEntry();
  const recent = useRecent();
  const pages = usePages();
  const uploads = useHasRole('MEMBER') ? uploadActions : [];
  const searches = useSearches(query);
  const organizations = useOrganizations();
  const lowered = query.toLowerCase();
  const matches = ({ label }: PaletteEntry) => label.toLowerCase().includes(lowered);
  const commands = [...pages, ...uploads, ...actions].filter(matches);
  if (query === '') {
    const opened = recent.map((one) => entryOf(one, words.groups.recent));
    return { entries: [...opened, ...commands, ...organizations], isCurrent, note: null };
  }
  const found = [
    ...items.map((one) => entryOf(one, words.groups.found)),
    ...others.map((one) => entryOf(one, words.groups.others)),
  ];
  const isNothing = isCurrent && found.length === 0 && query.length > 1;
  return {
    entries: [...commands, ...organizations.filter(matches), ...searches, ...found],
    isCurrent,
    note: hasFailed ? words.failed : isNothing ? words.none(query) : null,
  };
}

const uploadActions = [
  { label: uploadTexts.choose, icon: Upload, run: () => chooseFiles() },
  { label: uploadTexts.chooseFolder, icon: Upload, run: () => chooseFiles({ isFolder: true }) },
].map(actionEntry);

const actions = [
  {
    label: `${account.theme}: ${account.themes.light}`,
    icon: Sun,
    run: () => chooseTheme('light'),
  },
  { label: `${account.theme}: ${account.themes.dark}`, icon: Moon, run: () => chooseTheme('dark') },
  { label: keysTexts.title, icon: Keyboard, run: () => keysHelp.set(true) },
  { label: account.signOut, icon: LogOut, run: requestSignOut },
].map(actionEntry);

function actionEntry(action: Omit<PaletteEntry, 'key' | 'group'>): PaletteEntry {
  return { ...action, key: `action ${action.label}`, group: words.groups.actions };
}

function usePages(): readonly PaletteEntry[] {
  const user = useUser();
  const navigate = useNavigate();
  return navigation
    .filter(({ isAdmin }) => !isAdmin || user?.platformRole === 'ADMIN')
    .flatMap(({ destinations }) => destinations)
    .concat(accountPages, otherPages)
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

/** Returns what makes an entry of something that was found. */
function useFoundEntry(): (found: Recent & Partial<Suggestion>, group: string) => PaletteEntry {
  const navigate = useNavigate();
  const userId = useUser()?.id;
  return (found, group) => {
    const { type, id, title, key, context, ranges } = found;
    const parent = context.project?.name ?? context.collection?.title;
    const hint = [key, parent].filter((text) => text !== null && text !== undefined).join(' · ');
    return {
      key: `${type} ${id}`,
      group,
      label: title,
      ...(hint !== '' && { hint }),
      ...(ranges && { ranges }),
      icon: typeIcon(type),
      run: () => {
        if (userId !== undefined) rememberRecent(userId, found);
        const { path, search } = placeOf(found);
        void navigate({ to: path, search });
      },
    };
  };
}

/** Returns what the user opened last in the selected organization. */
function useRecent(): readonly Recent[] {
  const userId = useUser()?.id ?? '';
  const organizationId = useOrganization()?.id;
  return recentOf(userId)
    .filter((one) => one.organizationId === organizationId)
    .slice(0, maxRecent);
}

/** Returns the entries that lead to the page of the search: everything, or what the shown page is about. */
function useSearches(query: string): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const shown = useShownContext();
  if (query === '') return [];
  const everything = {
    key: 'search',
    group: words.groups.search,
    label: words.everything(query),
    icon: Search,
    run: () => void navigate({ to: '/search', search: { q: query } }),
  };
  if (!shown) return [everything];
  const { name, search } = shown;
  const within = {
    ...everything,
    key: 'search within',
    label: words.within(query, name),
    run: () => void navigate({ to: '/search', search: { q: query, ...search } }),
  };
  return [everything, within];
}

/** Returns the project or the collection that the page shows; null without one. */
function useShownContext() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const [, kind, id = ''] = /^\/(projects|collections)\/([^/]+)$/.exec(pathname) ?? [];
  const queries = useOrganizationQueries();
  const params = { id };
  // The page has them already.
  const project = useQuery({
    ...queries.projects.get.queryOptions({ params }),
    enabled: kind === 'projects',
  });
  const collection = useQuery({
    ...queries.collections.get.queryOptions({ params }),
    enabled: kind === 'collections',
  });
  if (kind === 'projects' && project.data) {
    return { name: project.data.name, search: { project: id } };
  }
  if (kind === 'collections' && collection.data) {
    return { name: collection.data.title, search: { collection: id } };
  }
  return null;
}
