import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../../forms/form.tsx';
import { texts } from '../../texts/notifications.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { pickedTime } from './snooze.ts';
import { dayOf } from '../../ui/calendar-days.ts';

const { snooze: words } = texts;

const schema = z.object({ date: z.string(), time: z.string() }).check(
  z.refine(({ date, time }) => 'until' in pickedTime(date, time, new Date()), {
    path: ['date'],
    error: ({ input }) => problemOf(input),
  }),
);

function problemOf(input: unknown): string {
  const { date, time } = z.parse(z.object({ date: z.string(), time: z.string() }), input);
  const picked = pickedTime(date, time, new Date());
  return 'problem' in picked ? words[picked.problem] : '';
}

interface SnoozeDialogProps {
  readonly onSnooze: (until: Date) => void;
  readonly onClose: () => void;
}

/** Asks for the date and the time to put a notification off to. */
export default function SnoozeDialog({ onSnooze, onClose }: SnoozeDialogProps): ReactNode {
  const [tomorrow] = useState(tomorrowOf);
  async function submit({ date, time }: z.output<typeof schema>): Promise<void> {
    const picked = pickedTime(date, time, new Date());
    if (!('until' in picked)) return;
    onClose();
    onSnooze(picked.until);
  }
  return (
    <Dialog isOpen onClose={onClose} size="sm" title={words.title} description={words.hint}>
      <Form schema={schema} onSubmit={submit}>
        {({ isBusy }) => (
          <>
            <div className="grid grid-cols-2 items-start gap-3">
              <Input
                name="date"
                type="date"
                label={words.date}
                defaultValue={tomorrow}
                data-autofocus
              />
              <Input name="time" type="time" label={words.time} defaultValue="09:00" />
            </div>
            <div className="flex flex-wrap justify-end gap-2 pb-2">
              <Button onClick={onClose}>{shared.cancel}</Button>
              <Button tone="primary" type="submit" isBusy={isBusy}>
                {words.submit}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function tomorrowOf(): string {
  const now = new Date();
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime());
}
