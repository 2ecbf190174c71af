import type { Asset, Organization } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../forms/form.tsx';
import { organizationsQuery } from '../session/account.ts';
import { texts } from '../texts/library.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Load } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { usePublishAssets } from './asset-changes.ts';
import { useCollectionChoice } from './collection-choice.ts';
import { DialogButtons } from './dialog-buttons.tsx';

const words = texts.publishDialog;
const schema = z.object({ teamId: z.string(), collectionId: z.string() });

interface PublishAssetsDialogProps {
  readonly assets: readonly Asset[];
  readonly onClose: () => void;
}

/** Publishes assets of the personal library to a team. */
export default function PublishAssetsDialog({
  assets,
  onClose,
}: PublishAssetsDialogProps): ReactNode {
  const organizations = useQuery(organizationsQuery);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title(assets.length)}
      description={words.hint}
      size="sm"
    >
      <Load query={organizations} skeleton={<SkeletonRows count={3} />}>
        {(all) => {
          const teams = all.filter(({ type, myRole }) => type === 'TEAM' && myRole !== 'VIEWER');
          return teams.length > 0 ? (
            <PublishForm {...{ assets, teams, onClose }} />
          ) : (
            <p className="pb-3 text-ink-muted">{words.noTeam}</p>
          );
        }}
      </Load>
    </Dialog>
  );
}

interface PublishFormProps extends PublishAssetsDialogProps {
  /** At least one. */
  readonly teams: readonly Organization[];
}

function PublishForm({ assets, teams, onClose }: PublishFormProps): ReactNode {
  const publish = usePublishAssets();
  const [chosenId, setChosenId] = useState<string>();
  const teamId = chosenId ?? teams[0]?.id;
  const collections = useCollectionChoice(teamId);

  async function submit({ teamId, collectionId }: z.output<typeof schema>): Promise<void> {
    const team = teams.find(({ id }) => id === teamId);
    if (!team) return;
    await publish.mutateAsync({ assets, team, collectionId: collectionId || undefined });
    onClose();
  }

  return (
    <Form schema={schema} onSubmit={submit}>
      {({ isBusy }) => (
        <>
          <Select
            name="teamId"
            label={words.team}
            value={teamId}
            onChange={(event) => setChosenId(event.target.value)}
            data-autofocus
            // The teams may load after the dialog opens.
            autoFocus
          >
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <Load query={collections} skeleton={<SkeletonRows count={2} />}>
            {(choice) => (
              <>
                <Select key={teamId} name="collectionId" label={words.collection}>
                  <option value="">{words.own}</option>
                  {choice.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
                </Select>
                <DialogButtons action={words.action} isBusy={isBusy} onCancel={onClose} />
              </>
            )}
          </Load>
        </>
      )}
    </Form>
  );
}
