import type { Data } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { useOrganizationMutation, useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { notify } from '../../ui/notices.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import type { DeliveryProps } from './props.ts';

const words = texts.delivery;

type Attempt = Data<'webhooks.getDelivery'>['attempts'][number];

/** Shows the message and the attempts of a delivery, and sends it again. */
export default function DeliveryDetails(props: DeliveryProps): ReactNode {
  const { organizationId, webhookId, delivery } = props;
  const params = { id: organizationId, webhookId, deliveryId: delivery.id };
  const queries = useOrganizationQueries();
  const query = useQuery(queries.webhooks.getDelivery.queryOptions({ params }));
  const resend = useOrganizationMutation({
    change: (_: void, options) => api.webhooks.resend({ params }, options),
    invalidates: [['webhooks'], ['timeline']],
    onDone: () => notify(words.resent),
  });
  return (
    <Load query={query} skeleton={<SkeletonRows count={2} />}>
      {({ payload, attempts }) => (
        <div className="mt-3 flex flex-col gap-4 rounded-md border border-line p-3">
          <div>
            <div className="flex items-center justify-between gap-3">
              <h3>{words.payload}</h3>
              <Button
                size="sm"
                icon={RotateCw}
                isBusy={resend.isPending}
                onClick={() => resend.mutate()}
              >
                {words.resend}
              </Button>
            </div>
            <pre
              tabIndex={0}
              aria-label={words.payload}
              className="mt-1.5 max-h-80 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs"
            >
              {JSON.stringify(payload, null, 2)}
            </pre>
          </div>
          <div>
            <h3>{words.attempts}</h3>
            {attempts.length === 0 ? <p className="text-ink-muted">{words.noAttempt}</p> : null}
            <ol className="mt-1.5 flex flex-col gap-2">
              {attempts.map((attempt) => (
                <AttemptRow key={attempt.number} attempt={attempt} />
              ))}
            </ol>
          </div>
        </div>
      )}
    </Load>
  );
}

function AttemptRow({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { number, startedAt, durationMs, status, error, responseExcerpt } = attempt;
  return (
    <li className="text-sm">
      <p>
        <span className="font-medium">{words.attempt(number)}</span>{' '}
        <span className="text-ink-muted">
          {error === null ? null : `${words.errors[error]} · `}
          {status === null ? null : `${words.status(status)} · `}
          {words.duration(durationMs)} · <Time at={startedAt} />
        </span>
      </p>
      {responseExcerpt ? (
        <pre
          tabIndex={0}
          aria-label={words.attempt(number)}
          className="mt-1 max-h-40 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs"
        >
          {responseExcerpt}
        </pre>
      ) : null}
    </li>
  );
}
