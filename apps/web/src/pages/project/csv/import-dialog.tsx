import { useState, type ReactNode } from 'react';
import { useLabels } from '../../../tasks/labels.ts';
import { useMembersQuery } from '../../../tasks/people.ts';
import { texts as shared } from '../../../texts/shared.ts';
import { texts } from '../../../texts/task-csv.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Input } from '../../../ui/field.tsx';
import { Load } from '../../../ui/load.tsx';
import { tasksOf, type ImportedTask } from './columns.ts';
import { rowsIn, type CsvRow } from './csv.ts';
import { Preview } from './preview.tsx';

const maxBytes = 2_000_000;
const maxTasks = 500;

interface ImportDialogProps {
  readonly onImport: (tasks: readonly ImportedTask[]) => void;
  readonly onClose: () => void;
}

/** Reads a CSV file, shows what will happen, and hands over the tasks. */
export default function ImportDialog({ onImport, onClose }: ImportDialogProps): ReactNode {
  const members = useMembersQuery('ACTIVE');
  const labels = useLabels();
  const [rows, setRows] = useState<readonly CsvRow[]>();
  const [error, setError] = useState<string>();
  const known = members.data && labels.data && { people: members.data, labels: labels.data };
  const plan = rows && known && tasksOf(rows, known);
  const tasks = plan?.tasks.slice(0, maxTasks) ?? [];

  async function read(file: File | undefined): Promise<void> {
    setRows(undefined);
    setError(undefined);
    if (!file) return;
    if (file.size > maxBytes) return setError(texts.tooLarge);
    try {
      setRows(rowsIn(await file.text()));
    } catch {
      setError(texts.unreadable);
    }
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.title}
      description={texts.hint}
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button
            tone="primary"
            disabled={tasks.length === 0}
            onClick={() => {
              onImport(tasks);
              onClose();
            }}
          >
            {tasks.length === 0 ? texts.import : texts.action(tasks.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 pb-2">
        <Input
          name="file"
          type="file"
          label={texts.file}
          accept=".csv,text/csv"
          error={error ?? (rows && known && !plan ? texts.noTitleColumn : undefined)}
          onChange={(event) => void read(event.target.files?.[0])}
          className="py-1.5"
        />
        {rows ? (
          <Load query={members}>
            {() => (
              <Load query={labels}>
                {() =>
                  plan ? (
                    <>
                      {plan.tasks.length > maxTasks ? (
                        <p className="text-warning">{texts.tooMany(maxTasks)}</p>
                      ) : null}
                      <Preview tasks={tasks} skipped={plan.skipped} />
                    </>
                  ) : null
                }
              </Load>
            )}
          </Load>
        ) : null}
      </div>
    </Dialog>
  );
}
