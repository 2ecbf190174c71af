import type { NewApiKey } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Choice, Option, withOrWithout } from '../../credentials/choice.tsx';
import { KeyDialog } from '../../credentials/key-dialog.tsx';
import { organizationsQuery, useOrganization } from '../../session/account.ts';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/api-keys.ts';

const words = texts.creating;
const maxOrganizations = 20;

interface CreateDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: NewApiKey) => void;
}

/** Creates a key, and chooses what it reaches. */
export default function CreateDialog({ onClose, onCreated }: CreateDialogProps): ReactNode {
  const selected = useOrganization();
  const [organizationIds, setOrganizationIds] = useState<readonly string[]>(
    selected ? [selected.id] : [],
  );
  const error = errorOfOrganizations(organizationIds);
  return (
    <KeyDialog
      accessHint={words.accessHint}
      more={error === undefined ? { organizationIds: [...organizationIds] } : undefined}
      create={(body, options) => api.apiKeys.create({ body }, options)}
      invalidates={['apiKeys']}
      onClose={onClose}
      onCreated={onCreated}
    >
      {(showsErrors) => (
        <Organizations
          chosen={organizationIds}
          error={showsErrors ? error : undefined}
          onChange={setOrganizationIds}
        />
      )}
    </KeyDialog>
  );
}

function errorOfOrganizations(chosen: readonly string[]): string | undefined {
  if (chosen.length === 0) return words.noOrganization;
  return chosen.length > maxOrganizations ? words.tooManyOrganizations : undefined;
}

interface OrganizationsProps {
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

function Organizations({ chosen, error, onChange }: OrganizationsProps): ReactNode {
  const { data = [] } = useQuery(organizationsQuery);
  return (
    <Choice legend={words.organizations} hint={words.organizationsHint} error={error}>
      <div className="max-h-48 overflow-y-auto">
        {data.map(({ id, name }) => (
          <Option
            key={id}
            type="checkbox"
            name="organizationIds"
            value={id}
            label={name}
            isChosen={chosen.includes(id)}
            onChange={(isChosen) => onChange(withOrWithout(chosen, id, isChosen))}
          />
        ))}
      </div>
    </Choice>
  );
}
