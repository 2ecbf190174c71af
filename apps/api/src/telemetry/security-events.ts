import { secondFactorKinds } from '@atelier/contract';
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

/** Counts wrong second factors. Many more than usual with good passwords are a wrong clock, or stolen passwords. */
export function secondFactorFailureCounter({
  meter,
}: Pick<Instruments, 'meter'>): (kind: string) => void {
  const counter = meter.createCounter('atelier.second_factor_failures', {
    unit: '{failure}',
    description: 'Wrong second factors, by kind',
  });
  for (const kind of secondFactorKinds) counter.add(0, { 'atelier.kind': kind });
  return (kind) => counter.add(1, { 'atelier.kind': kind });
}
