import { LiveMessage } from '@atelier/contract';
import type { Check } from '../check.ts';
import { jsonIn } from '../deployment.ts';
import { messagesIn } from '../streams.ts';

const resuming: Check = {
  id: 'events.resume',
  group: 'events',
  title: 'a stream goes on after the last id, with what changed meanwhile',
  run: async ({ probe, world: { owner } }) => {
    const { token } = owner;
    const { id: organizationId } = await probe.succeed('organizations.create', {
      token,
      body: { name: 'Live updates' },
    });
    const caller = { token, organizationId };
    const opened = await probe.call('events.subscribe', caller);
    const lastEventId = messagesIn(opened.text).at(-1)?.id ?? '';
    probe.require({
      rule: 'events.resume',
      answer: opened,
      holds: lastEventId !== '',
      expected: 'an event ready with an id',
    });
    const { id } = await probe.succeed('collections.create', {
      ...caller,
      body: { title: 'Live' },
    });
    const answer = await probe.call('events.subscribe', {
      ...caller,
      headers: { 'last-event-id': lastEventId },
      untilEvent: 'activity',
    });
    const seen = messagesIn(answer.text).map(({ event, data }) =>
      LiveMessage.safeParse({ event, data: jsonIn(data) }),
    );
    const changes = seen.flatMap(({ data }) => (data?.event === 'activity' ? [data.data] : []));
    probe.expect({
      rule: 'events.resume',
      answer,
      holds: changes.length === 1 && changes[0]?.resourceId === id,
      expected: `one activity, of the collection ${id}`,
      actual: changes.map(({ action }) => action).join(', ') || 'none',
    });
    const forged = await probe.call('events.subscribe', {
      ...caller,
      headers: { 'last-event-id': 'no-such-position' },
    });
    probe.expectRefusal('events.forged-position', forged, 'validation_failed');
  },
};

export const eventScenarios: readonly Check[] = [resuming];
