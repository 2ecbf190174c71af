import type { Project, Task } from '@atelier/client';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useHasRole } from '../../session/account.ts';
import { endOfDay } from '../../tasks/due-date.ts';
import { useUpdateTask } from '../../tasks/task-changes.ts';
import { useToday } from '../../ui/today.ts';
import { texts as calendarTexts } from '../../texts/calendar.ts';
import { texts } from '../../texts/project.ts';
import { Button } from '../../ui/button.tsx';
import { dayOf, addMonths, dateOf, weeksOf, type Day } from '../../ui/calendar-days.ts';
import type { Drop } from '../../ui/drag.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Load } from '../../ui/load.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { useDragAndDrop } from '../../ui/use-drag.ts';
import { BoardSkeleton } from './board-skeleton.tsx';
import { CalendarDay, CalendarTasks } from './calendar-day.tsx';
import type { ProjectSearch } from './search.ts';
import { useBoardTasks } from './use-board-tasks.ts';

const { calendar: words } = texts;
const monthName = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const weekdayName = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
/** The list of tasks without a due date. */
const unscheduled = 'unscheduled';

interface TaskCalendarProps {
  readonly project: Project;
  readonly search: ProjectSearch;
  readonly onChange: (change: Partial<ProjectSearch>) => void;
}

/** Shows the tasks of a project by due date, a month at a time. */
export default function TaskCalendar({ project, search, onChange }: TaskCalendarProps): ReactNode {
  const tasks = useBoardTasks(project.id, search);
  const today = useToday();
  const first = firstOf(search.month) ?? `${today.slice(0, 7)}-01`;
  const show = (day: Day) => onChange({ month: day.slice(0, 7) });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-1">
        <h2 aria-live="polite" className="mr-2 min-w-40">
          {monthName.format(dateOf(first))}
        </h2>
        <IconButton
          icon={ChevronLeft}
          label={calendarTexts.previousMonth}
          onClick={() => show(addMonths(first, -1))}
        />
        <IconButton
          icon={ChevronRight}
          label={calendarTexts.nextMonth}
          onClick={() => show(addMonths(first, 1))}
        />
        <Button size="sm" onClick={() => onChange({ month: undefined })}>
          {words.today}
        </Button>
      </div>
      <Load query={tasks} skeleton={<BoardSkeleton />}>
        {({ items, isTruncated }) => (
          <>
            {isTruncated ? (
              <p className="text-sm text-ink-muted">{texts.truncated(items.length)}</p>
            ) : null}
            <Month tasks={items} first={first} today={today} />
          </>
        )}
      </Load>
    </div>
  );
}

/** Returns the first day of the month in the address, if a calendar has it. */
function firstOf(month = ''): Day | undefined {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return undefined;
  return `${addMonths(`${month}-01`, 0).slice(0, 7)}-01`;
}

interface MonthProps {
  readonly tasks: readonly Task[];
  readonly first: Day;
  readonly today: Day;
}

function Month({ tasks, first, today }: MonthProps): ReactNode {
  const mayEdit = useHasRole('MEMBER');
  const drag = useDragAndDrop(mayEdit);
  const { mutate } = useUpdateTask();
  const [announcement, setAnnouncement] = useState('');
  const weeks = weeksOf(first);
  const dueOn = (day: Day) =>
    tasks.filter(({ dueDate }) => dueDate !== null && dayOf(dueDate) === day);
  const others = tasks.filter(({ dueDate }) => dueDate === null);

  function drop({ id, list }: Drop): void {
    const task = tasks.find((one) => one.id === id);
    if (!task || list === undefined) return;
    const isCleared = list === unscheduled;
    const before = task.dueDate === null ? unscheduled : dayOf(task.dueDate);
    if (list === before) return;
    mutate({ id, patch: { dueDate: isCleared ? null : endOfDay(list) } });
    setAnnouncement(
      isCleared ? words.cleared(task.title) : words.moved(task.title, dayName.format(dateOf(list))),
    );
  }
  const latestDrop = useRef(drop);
  useEffect(() => {
    latestDrop.current = drop;
  });
  useEffect(() => drag?.followDrops('task', (dropped) => latestDrop.current(dropped)), [drag]);

  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ScrollArea
        role="region"
        aria-label={words.label(monthName.format(dateOf(first)))}
        behind="surface"
        frameClass="overflow-hidden rounded-lg border border-line bg-surface"
      >
        <table className="w-full min-w-3xl table-fixed border-collapse">
          <thead>
            <tr>
              {weeks[0]?.map((day) => (
                <th
                  key={day}
                  scope="col"
                  className="border-b border-line px-2 py-2 text-left text-xs font-medium text-ink-muted"
                >
                  {weekdayName.format(dateOf(day))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <CalendarDay
                    key={day}
                    day={day}
                    isToday={day === today}
                    isOutside={!day.startsWith(first.slice(0, 7))}
                    tasks={dueOn(day)}
                    drag={drag}
                    mayEdit={mayEdit}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {others.length > 0 ? (
        <section aria-label={words.unscheduled} className="rounded-xl bg-sunken p-3">
          <h3 className="flex gap-2">
            {words.unscheduled}
            <span className="font-normal text-ink-muted tabular-nums">{others.length}</span>
          </h3>
          {mayEdit ? <p className="mb-2 text-sm text-ink-muted">{words.unscheduledHint}</p> : null}
          <CalendarTasks
            list={unscheduled}
            tasks={others}
            drag={drag}
            mayEdit={mayEdit}
            className="grid gap-1 sm:grid-cols-2 lg:grid-cols-4"
          />
        </section>
      ) : null}
    </>
  );
}
