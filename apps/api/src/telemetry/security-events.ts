import { securityEventNames } from '../kernel/security-events.ts';
import type { Instruments } from './instruments.ts';

/** Counts security events. Each counter starts at zero, so that the first event is an increase, too. */
export function securityEventCounter({
  meter,
}: Pick<Instruments, 'meter'>): (event: string) => void {
  const counter = meter.createCounter('atelier.security.events', {
    unit: '{event}',
    description: 'Security events, by name',
  });
  for (const event of securityEventNames) counter.add(0, { 'atelier.event': event });
  return (event) => counter.add(1, { 'atelier.event': event });
}
