import type { DigestSettings } from '@atelier/client';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notification-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { keysOf, oneOf } from '../../ui/options.ts';
import { Section } from '../../ui/section.tsx';

const { digest: words } = texts;
const frequencies = keysOf(words.frequencies);

const hourName = new Intl.DateTimeFormat('en', { hour: 'numeric', timeZone: 'UTC' });
const hours = Array.from({ length: 24 }, (_, hour) => ({
  hour,
  label: hourName.format(Date.UTC(2024, 0, 1, hour)),
}));
const weekdayName = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
const weekdays = Array.from({ length: 7 }, (_, index) => ({
  weekday: index + 1,
  // 2024 began on a Monday.
  label: weekdayName.format(Date.UTC(2024, 0, index + 1)),
}));

const deviceZone = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
const knownZones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

interface DigestSectionProps {
  readonly digest: DigestSettings;
  readonly onChange: (digest: DigestSettings) => void;
}

/** Chooses when the summary of what is unread is mailed. */
export function DigestSection({ digest, onChange }: DigestSectionProps): ReactNode {
  const { frequency, hour, weekday, timeZone } = digest;
  const zones = [...new Set([timeZone, ...knownZones])].toSorted();
  const set = (changes: Partial<DigestSettings>) => onChange({ ...digest, ...changes });
  return (
    <Section title={words.title} hint={words.hint}>
      <div className="flex flex-wrap items-start gap-3">
        <div className="w-full min-[26rem]:w-40">
          <Select
            name="frequency"
            label={words.frequency}
            value={frequency}
            onChange={({ target }) =>
              set({ frequency: oneOf(frequencies, target.value) ?? frequency })
            }
          >
            {frequencies.map((one) => (
              <option key={one} value={one}>
                {words.frequencies[one]}
              </option>
            ))}
          </Select>
        </div>
        {frequency === 'WEEKLY' ? (
          <div className="w-full min-[26rem]:w-36">
            <Select
              name="weekday"
              label={words.weekday}
              value={weekday}
              onChange={({ target }) => set({ weekday: Number(target.value) })}
            >
              {weekdays.map((one) => (
                <option key={one.weekday} value={one.weekday}>
                  {one.label}
                </option>
              ))}
            </Select>
          </div>
        ) : null}
        {frequency === 'OFF' ? null : (
          <>
            <div className="w-full min-[26rem]:w-28">
              <Select
                name="hour"
                label={words.hour}
                value={hour}
                onChange={({ target }) => set({ hour: Number(target.value) })}
              >
                {hours.map((one) => (
                  <option key={one.hour} value={one.hour}>
                    {one.label}
                  </option>
                ))}
              </Select>
            </div>
            <div className="w-full min-[26rem]:w-52">
              <Select
                name="timeZone"
                label={words.timeZone}
                value={timeZone}
                onChange={({ target }) => set({ timeZone: target.value })}
              >
                {zones.map((zone) => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ))}
              </Select>
            </div>
          </>
        )}
      </div>
      {frequency !== 'OFF' && deviceZone !== timeZone ? (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-muted">
          {words.deviceHint}
          <Button size="sm" onClick={() => set({ timeZone: deviceZone })}>
            {words.useDevice(deviceZone.replaceAll('_', ' '))}
          </Button>
        </p>
      ) : null}
    </Section>
  );
}
