import type { Webhook } from '@atelier/client';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/webhooks.ts';
import { Card } from '../../ui/card.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Fact } from '../../ui/fact.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Time } from '../../ui/time.tsx';

const words = texts.facts;

/** Lists how a webhook is set up. */
export function Facts({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { url, events, ordering, secretHint, previousSecretExpiresAt, publicKey } = webhook;
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <Fact name={words.url}>{url}</Fact>
        <Fact name={words.events}>
          {events.includes('*') ? texts.allEvents : events.join(', ')}
        </Fact>
        <Fact name={words.ordering}>{texts.form.orderings[ordering].label}</Fact>
        <Fact name={words.secret}>
          {words.secretHint(secretHint)}
          {previousSecretExpiresAt === null ? null : (
            <>
              , {words.previousSecret} <Time at={previousSecretExpiresAt} />
            </>
          )}
        </Fact>
        <Fact name={words.publicKey}>
          <span className="flex items-start gap-2">
            <span className="min-w-0 flex-1 font-mono text-sm">{publicKey}</span>
            <IconButton
              icon={Copy}
              size="sm"
              label={words.copyKey}
              onClick={() => void copyText(publicKey)}
            />
          </span>
        </Fact>
      </dl>
    </Card>
  );
}
