import type { Webhook } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Option, withOrWithout } from '../../credentials/choice.tsx';
import { accountQueries } from '../../session/queries.ts';
import { Load } from '../../ui/load.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

type Event = Webhook['events'][number];

interface EventPickerProps {
  readonly chosen: readonly Event[];
  readonly onChange: (chosen: Event[]) => void;
}

/** Lets the user choose each event of a webhook. */
export function EventPicker({ chosen, onChange }: EventPickerProps): ReactNode {
  const events = useQuery(accountQueries.webhooks.listEvents.queryOptions());
  return (
    <Load query={events} skeleton={<SkeletonRows count={4} />}>
      {({ items }) => (
        <div className="mt-1 grid gap-x-4 rounded-md border border-line p-3 sm:grid-cols-2">
          {items.map(({ type, description }) =>
            isChosenByUsers(type) ? (
              <Option
                key={type}
                type="checkbox"
                name="events"
                value={type}
                label={type}
                hint={description}
                isChosen={chosen.includes(type)}
                onChange={(isChosen) => onChange(withOrWithout(chosen, type, isChosen))}
              />
            ) : null,
          )}
        </div>
      )}
    </Load>
  );
}

/** The service sends the others to every webhook. */
function isChosenByUsers(type: string): type is Event {
  return type !== 'webhook.ping' && type !== 'webhook.reset';
}
