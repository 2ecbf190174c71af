import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { organizationsQuery, useOrganization } from '../session/account.ts';
import { switchOrganization } from '../session/switch-organization.ts';
import { texts } from '../texts/shell.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Menu, MenuRadioGroup, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CreateTeam } from './create-team.tsx';

const { organizations: words } = texts;

/** Shows the selected organization and switches to others. */
export function OrganizationSwitcher(): ReactNode {
  const { data: organizations } = useQuery(organizationsQuery);
  const current = useOrganization();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  if (!organizations || !current) return <Skeleton className="h-11" />;

  function change(id: string): void {
    const chosen = organizations?.find((organization) => organization.id === id);
    if (!chosen || chosen.id === current?.id) return;
    const next = chosen.type === 'PERSONAL' ? null : chosen.id;
    void switchOrganization(next, () => navigate({ to: '/', ignoreBlocker: true }));
  }

  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex items-center gap-2.5 rounded-md p-1.5 text-left hover:bg-hover data-[state=open]:bg-hover"
          >
            <Avatar name={current.name} shape="square" />
            <span className="min-w-0 flex-1 truncate font-semibold">
              <span className="sr-only">{words.label} </span>
              {current.name}
            </span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-muted" />
          </button>
        }
      >
        <MenuLabel>{words.title}</MenuLabel>
        <MenuRadioGroup
          value={current.id}
          onChange={change}
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <MenuSeparator />
        <MenuItem icon={Plus} onSelect={() => setCreating(true)}>
          {words.createTeam}
        </MenuItem>
      </Menu>
      <CreateTeam isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}
