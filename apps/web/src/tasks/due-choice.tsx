import { CalendarX2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/tasks.ts';
import { Button } from '../ui/button.tsx';
import { Calendar } from '../ui/calendar.tsx';
import { dayOf, firstDay, lastDay } from '../ui/calendar-days.ts';
import { endOfDay } from './due-date.ts';
import { nearDays } from './near-days.ts';
import { useToday } from '../ui/today.ts';

interface DueChoiceProps {
  readonly dueDate: string | null;
  /** Gets null to clear it. */
  readonly onChoose: (dueDate: string | null) => void;
}

/** Chooses a due date: by words, from a calendar, or typed; for a picker. */
export function DueChoice({ dueDate, onChoose }: DueChoiceProps): ReactNode {
  const saved = dueDate === null ? '' : dayOf(dueDate);
  const [typed, setTyped] = useState(saved);
  const today = useToday();
  // While a year is being typed, an incomplete one such as 0002 is a valid date too.
  const isComplete = typed >= firstDay && typed <= lastDay;
  const choose = (day: string) => onChoose(endOfDay(day));

  return (
    <div className="flex w-64 max-w-full flex-col gap-2 p-1">
      <div className="flex flex-wrap gap-1.5">
        {nearDays(today).map(({ label, day }) => (
          <Button key={label} size="sm" aria-pressed={day === saved} onClick={() => choose(day)}>
            {label}
          </Button>
        ))}
      </div>
      <Calendar selected={saved || undefined} today={today} onChoose={choose} />
      <div className="flex gap-1.5">
        <input
          type="date"
          aria-label={texts.dueDate}
          value={typed}
          min={firstDay}
          max={lastDay}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isComplete) choose(typed);
          }}
          className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink"
        />
        {isComplete && typed !== saved ? (
          <Button onClick={() => choose(typed)}>{texts.due.set}</Button>
        ) : null}
      </div>
      {dueDate === null ? null : (
        <Button tone="quiet" size="sm" icon={CalendarX2} onClick={() => onChoose(null)}>
          {texts.drawer.clearDue}
        </Button>
      )}
    </div>
  );
}
