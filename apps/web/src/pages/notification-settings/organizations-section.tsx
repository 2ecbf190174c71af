import type { NotificationPreferences, Organization } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { organizationsQuery } from '../../session/account.ts';
import { texts } from '../../texts/notification-settings.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { keysOf, oneOf } from '../../ui/options.ts';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

const { organizations: words, reasons } = texts;
const levels = keysOf(words.levels);

type Part = Pick<NotificationPreferences, 'organizations' | 'unsubscribed'>;

interface OrganizationsSectionProps {
  readonly preferences: Part;
  readonly onChange: (changes: Partial<Part>) => void;
}

/** Chooses what each team notifies of. */
export function OrganizationsSection(props: OrganizationsSectionProps): ReactNode {
  const query = useQuery(organizationsQuery);
  const teams = query.data?.filter(({ type }) => type === 'TEAM');
  // Nobody else works in a personal organization.
  if (teams?.length === 0) return null;
  return (
    <Section title={words.title} hint={words.hint}>
      <Load query={query} skeleton={<SkeletonRows count={2} />}>
        {() => (
          <ul className="-my-2 divide-y divide-line">
            {teams?.map((team) => (
              <TeamRow key={team.id} team={team} {...props} />
            ))}
          </ul>
        )}
      </Load>
    </Section>
  );
}

interface TeamRowProps extends OrganizationsSectionProps {
  readonly team: Organization;
}

function TeamRow({ team: { id, name }, preferences, onChange }: TeamRowProps): ReactNode {
  const level = preferences.organizations[id] ?? 'ALL';
  const { [id]: unsubscribed = [], ...others } = preferences.unsubscribed;
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Avatar name={name} shape="square" />
        <span className="min-w-32 flex-1 font-medium wrap-anywhere">{name}</span>
        <select
          aria-label={words.label(name)}
          value={level}
          onChange={({ target }) =>
            onChange({
              organizations: {
                ...preferences.organizations,
                [id]: oneOf(levels, target.value) ?? level,
              },
            })
          }
          className="h-8 w-40 rounded-md border border-line-strong bg-surface pr-7 pl-2.5 text-base"
        >
          {levels.map((one) => (
            <option key={one} value={one}>
              {words.levels[one]}
            </option>
          ))}
        </select>
      </div>
      {unsubscribed.length === 0 ? null : (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
          {words.unsubscribed(unsubscribed.map((reason) => reasons.names[reason]).join(', '))}
          <Button size="sm" onClick={() => onChange({ unsubscribed: others })}>
            {words.resubscribe}
          </Button>
        </p>
      )}
    </li>
  );
}
