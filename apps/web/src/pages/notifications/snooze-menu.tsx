import { AlarmClock, CalendarClock, Clock, Sun, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notifications.ts';
import { MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { formatUntil, snoozeChoices, type SnoozeChoice } from './snooze.ts';

const { snooze: words } = texts;

const icons: Record<SnoozeChoice['name'], LucideIcon> = {
  laterToday: Clock,
  tomorrow: Sun,
  nextWeek: AlarmClock,
};

interface SnoozeItemsProps {
  readonly onSnooze: (until: Date) => void;
  readonly onPick: () => void;
}

/** Items of a menu: the times to put a notification off to. */
export function SnoozeItems({ onSnooze, onPick }: SnoozeItemsProps): ReactNode {
  const now = new Date();
  return (
    <>
      <MenuLabel>{words.title}</MenuLabel>
      {snoozeChoices(now).map(({ name, until }) => (
        <MenuItem key={name} icon={icons[name]} onSelect={() => onSnooze(until)}>
          <span className="flex items-baseline justify-between gap-6">
            {words[name]}
            <span className="text-xs text-ink-muted">{formatUntil(until, now)}</span>
          </span>
        </MenuItem>
      ))}
      <MenuItem icon={CalendarClock} onSelect={onPick}>
        {words.pick}
      </MenuItem>
    </>
  );
}
