import { LiveMessage } from '@atelier/contract';
import type { Check } from '../check.ts';
import { jsonIn } from '../deployment.ts';
import { messagesIn } from '../streams.ts';

const resuming: Check = {
  id: 'events.resume',
  group: 'events',
  title: 'a stream resumes after the last event id, with the changes since',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token } = owner;
    const { id: organizationId } = await probe.succeed('organizations.create', {
      token,
      body: { name: 'Live updates' },
    });
    const caller = { token, organizationId };
    const opened = await probe.request('events.subscribe', caller);
    const lastEventId = messagesIn(opened.text).at(-1)?.id ?? '';
    probe.require({
      rule: 'events.resume',
      response: opened,
      holds: lastEventId !== '',
      expected: 'a ready event with an id',
      actual: 'no id',
    });
    const { id } = await probe.succeed('collections.create', {
      ...caller,
      body: { title: 'Live' },
    });
    const response = await probe.request('events.subscribe', {
      ...caller,
      headers: { 'last-event-id': lastEventId },
      untilEvent: 'activity',
    });
    const seen = messagesIn(response.text).map(({ event, data }) =>
      LiveMessage.safeParse({ event, data: jsonIn(data) }),
    );
    const changes = seen.flatMap(({ data }) => (data?.event === 'activity' ? [data.data] : []));
    probe.expect({
      rule: 'events.resume',
      response,
      holds: changes.length === 1 && changes[0]?.resourceId === id,
      expected: `one activity, of the collection ${id}`,
      actual: changes.map(({ action }) => action).join(', ') || 'none',
    });
    const forged = await probe.request('events.subscribe', {
      ...caller,
      headers: { 'last-event-id': 'no-such-position' },
    });
    probe.expectRefusal('events.forged-position', forged, 'validation_failed');
  },
};

export const eventScenarios: readonly Check[] = [resuming];
