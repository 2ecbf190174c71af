import type { Project } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { useIdempotentSend } from '../../credentials/idempotency.ts';
import { api } from '../../session/api.ts';
import { changedFields } from '../../forms/changed-fields.ts';
import { Form } from '../../forms/form.tsx';
import { useOrganizationId } from '../../session/selected-organization.ts';
import { topicKey } from '../../session/queries.ts';
import { texts } from '../../texts/projects.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input, Textarea } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.tsx';

const { form: words } = texts;
const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, words.nameMissing)),
  description: z.string(),
});

interface ProjectFormProps {
  /** The project to edit; without it, the form creates one. */
  readonly project?: Project | undefined;
  readonly onClose: () => void;
}

/** Creates a project and opens it, or edits one. */
export default function ProjectForm({ project, onClose }: ProjectFormProps): ReactNode {
  const id = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const organizationId = useOrganizationId();
  const send = useIdempotentSend();
  // Others may change the project while the form is open.
  const [before] = useState(project);

  async function save({ name, description }: z.output<typeof schema>): Promise<void> {
    const body = { name, description: description.trim() === '' ? null : description };
    const options = { organizationId };
    if (before) {
      const changed = changedFields(body, before);
      if (Object.keys(changed).length === 0) return onClose();
      await api.projects.update({ params: { id: before.id }, body: changed }, options);
      void client.invalidateQueries({ queryKey: topicKey(['projects']) });
      return onClose();
    }
    const created = await send(body, (idempotencyKey) =>
      api.projects.create({ body }, { ...options, idempotencyKey }),
    );
    void client.invalidateQueries({ queryKey: topicKey(['projects']) });
    onClose();
    notify(texts.createdNotice(created.name));
    await navigate({ to: '/projects/$id', params: { id: created.id } });
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={project ? words.editTitle : words.createTitle}
      size="sm"
    >
      <Form id={id} schema={schema} onSubmit={save}>
        {({ isBusy }) => (
          <>
            <Input
              name="name"
              label={words.name}
              hint={project ? words.keyHint(project.key) : words.keyLater}
              defaultValue={before?.name}
              maxLength={120}
              autoComplete="off"
              data-autofocus
            />
            <Textarea
              name="description"
              label={words.description}
              hint={words.optional}
              defaultValue={before?.description ?? ''}
              maxLength={5000}
            />
            <div className="flex justify-end gap-2 pb-2">
              <Button onClick={onClose}>{shared.cancel}</Button>
              <Button tone="primary" type="submit" isBusy={isBusy}>
                {project ? words.save : words.create}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
