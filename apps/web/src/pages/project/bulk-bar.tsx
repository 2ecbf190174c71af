import type { Task } from '@atelier/client';
import { CalendarClock, ChevronsUp, CircleDot, Tag, Trash2, UserPlus, X } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../../loading/lazy.tsx';
import { PeopleChoice, PriorityChoice, StatusChoice } from '../../tasks/choices.tsx';
import { commonOf } from '../../tasks/differences.ts';
import { DueChoice } from '../../tasks/due-choice.tsx';
import { LabelChoice } from '../../tasks/label-choice.tsx';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Picker } from '../../ui/picker.tsx';
import type { BulkChanges } from './use-bulk.ts';

const LabelsDialog = lazyDialog(() => import('../../tasks/labels-dialog.tsx'));

const { bulk: words } = texts;

interface BulkBarProps {
  readonly tasks: readonly Task[];
  readonly changes: BulkChanges;
  readonly onClear: () => void;
}

/** Changes the selected tasks. Stays in view while the list is scrolled. */
export function BulkBar({ tasks, changes, onClear }: BulkBarProps): ReactNode {
  const [isManaging, setManaging] = useState(false);
  const status = sameOf(tasks.map((task) => task.status));
  const priority = sameOf(tasks.map((task) => task.priority));
  const dueDate = sameOf(tasks.map((task) => task.dueDate)) ?? null;
  const people = commonOf(tasks.map((task) => task.assignees));
  const labels = commonOf(tasks.map((task) => task.labels));
  return (
    <div
      role="group"
      aria-label={words.label}
      className="sticky bottom-4 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-1 rounded-xl border border-line bg-raised px-3 py-2 shadow-raised"
    >
      <span role="status" className="pr-2 font-medium whitespace-nowrap">
        {words.selected(tasks.length)}
      </span>
      <Picker
        label={taskTexts.status}
        trigger={
          <Button tone="quiet" size="sm" icon={CircleDot}>
            {taskTexts.status}
          </Button>
        }
      >
        {(close) => (
          <StatusChoice
            value={status}
            onChoose={(next) => {
              close();
              changes.update({ status: next });
            }}
          />
        )}
      </Picker>
      <Picker
        label={taskTexts.priority}
        trigger={
          <Button tone="quiet" size="sm" icon={ChevronsUp}>
            {taskTexts.priority}
          </Button>
        }
      >
        {(close) => (
          <PriorityChoice
            value={priority}
            onChoose={(next) => {
              close();
              changes.update({ priority: next });
            }}
          />
        )}
      </Picker>
      <Picker
        label={taskTexts.drawer.chooseAssignees}
        trigger={
          <Button tone="quiet" size="sm" icon={UserPlus}>
            {taskTexts.assignees}
          </Button>
        }
      >
        {() => (
          <PeopleChoice
            people={people}
            onChange={(next) => changes.assign({ from: people, to: next })}
          />
        )}
      </Picker>
      <Picker
        label={taskTexts.labels}
        trigger={
          <Button tone="quiet" size="sm" icon={Tag}>
            {taskTexts.labels}
          </Button>
        }
      >
        {(close) => (
          <LabelChoice
            labels={labels}
            onChange={(next) => changes.label({ from: labels, to: next })}
            onManage={() => {
              close();
              setManaging(true);
            }}
          />
        )}
      </Picker>
      <Picker
        label={taskTexts.due.choose}
        trigger={
          <Button tone="quiet" size="sm" icon={CalendarClock}>
            {taskTexts.dueDate}
          </Button>
        }
      >
        {(close) => (
          <DueChoice
            dueDate={dueDate}
            onChoose={(next) => {
              close();
              changes.update({ dueDate: next });
            }}
          />
        )}
      </Picker>
      <Button
        tone="quiet"
        size="sm"
        icon={Trash2}
        className="text-danger!"
        onClick={() => {
          changes.remove();
          onClear();
        }}
      >
        {words.delete}
      </Button>
      <IconButton icon={X} size="sm" label={words.clear} onClick={onClear} />
      {isManaging ? (
        <Suspense>
          <LabelsDialog onClose={() => setManaging(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Tells which tasks couldn't be changed, and why. */
export function BulkFailures({
  failures,
  dismissFailures,
}: Pick<BulkChanges, 'failures' | 'dismissFailures'>): ReactNode {
  if (failures.length === 0) return null;
  return (
    <div
      role="alert"
      className="mb-3 flex items-start gap-3 rounded-lg bg-danger-soft px-4 py-3 text-danger"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">{words.failed(failures.length)}</p>
        <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5 wrap-anywhere">
          {failures.map(({ id, title, reason }) => (
            <li key={id}>{words.failure(title, reason)}</li>
          ))}
        </ul>
      </div>
      <IconButton icon={X} size="sm" label={words.dismiss} onClick={dismissFailures} />
    </div>
  );
}

/** Returns the value if all are the same. */
function sameOf<Value>(values: readonly Value[]): Value | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}
