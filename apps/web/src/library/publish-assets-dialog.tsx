import type { Asset } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Form } from '../forms/form.tsx';
import { organizationsQuery } from '../session/account.ts';
import { queriesOf } from '../session/queries.ts';
import { texts } from '../texts/library.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { usePublishAssets } from './asset-changes.ts';
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
  const publish = usePublishAssets();
  const organizations = useQuery(organizationsQuery).data;
  const teams = organizations?.filter(({ type, myRole }) => type === 'TEAM' && myRole !== 'VIEWER');
  const [chosenId, setChosenId] = useState<string>();
  const teamId = chosenId ?? teams?.[0]?.id;
  const collections = useTeamCollections(teamId);

  async function submit({ teamId, collectionId }: z.output<typeof schema>): Promise<void> {
    const team = teams?.find(({ id }) => id === teamId);
    if (!team) return;
    await publish.mutateAsync({ assets, team, collectionId: collectionId || undefined });
    onClose();
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title(assets.length)}
      description={words.hint}
      size="sm"
    >
      {teams ? (
        teams.length > 0 ? (
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
                <Select key={teamId} name="collectionId" label={words.collection}>
                  <option value="">{words.own}</option>
                  {collections?.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
                </Select>
                <DialogButtons action={words.action} isBusy={isBusy} onCancel={onClose} />
              </>
            )}
          </Form>
        ) : (
          <p className="pb-3 text-ink-muted">{words.noTeam}</p>
        )
      ) : (
        <SkeletonRows count={3} />
      )}
    </Dialog>
  );
}

function useTeamCollections(teamId: string | undefined) {
  const { collections } = queriesOf(teamId ?? null);
  return useQuery({
    ...collections.list.queryOptions({
      query: { scope: 'organization', limit: 100, sort: '-updatedAt' },
    }),
    enabled: teamId !== undefined,
  }).data?.items;
}
