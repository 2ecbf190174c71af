import type { NotificationPreferences } from '@atelier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDraft as useKeptDraft } from '../../forms/drafts.ts';
import { saveUnlessChanged } from '../../forms/save-unless-changed.ts';
import { api } from '../../session/api.ts';
import { accountQueries } from '../../session/queries.ts';
import { isSessionEnd } from '../../session/query-client.ts';
import { texts } from '../../texts/notification-settings.ts';
import { notify, notifyFailure } from '../../ui/notices.tsx';

export const preferencesQuery = accountQueries.notifications.preferences.queryOptions();

/** Preferences that are being edited. */
export interface Draft {
  readonly shown: NotificationPreferences;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** What is stored is no longer what the changes began with. */
  readonly isConflict: boolean;
  readonly edit: (changes: Partial<NotificationPreferences>) => void;
  readonly discard: () => void;
  readonly save: () => Promise<void>;
}

interface Edited {
  readonly base: NotificationPreferences;
  readonly draft: NotificationPreferences;
}

/** Edits the stored preferences, also across pages, and saves them unless they have changed elsewhere meanwhile. */
export function useDraft(stored: NotificationPreferences): Draft {
  const client = useQueryClient();
  const { queryKey } = preferencesQuery;
  const [edited, setEdited] = useKeptDraft<Edited>('notification settings');
  const [isSaving, setSaving] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const shown = edited?.draft ?? stored;

  function discard(): void {
    setEdited(() => undefined);
    setConflict(false);
    void client.invalidateQueries({ queryKey });
  }

  async function save(): Promise<void> {
    if (!edited || isSaving) return;
    setSaving(true);
    let saved = edited.draft;
    try {
      const isSaved = await saveUnlessChanged({
        read: () => api.notifications.preferences().withMeta(),
        isSame: (current) => isEqual(current, edited.base),
        isSaved: (current) => isEqual(current, edited.draft),
        async write(options) {
          saved = await api.notifications.setPreferences({ body: edited.draft }, options);
        },
      });
      setConflict(!isSaved);
      if (isSaved) {
        client.setQueryData(queryKey, saved);
        // What was entered meanwhile is not saved.
        setEdited((now) =>
          now === undefined || now.draft === edited.draft
            ? undefined
            : { base: saved, draft: now.draft },
        );
        notify(texts.saved, { topic: 'notification-settings' });
      }
    } catch (error) {
      if (!isSessionEnd(error)) notifyFailure(error);
    } finally {
      setSaving(false);
    }
  }

  return {
    shown,
    isChanged: edited !== undefined && !isEqual(edited.draft, edited.base),
    isSaving,
    isConflict,
    edit: (changes) =>
      setEdited((now) => ({
        base: now?.base ?? stored,
        draft: { ...(now?.draft ?? stored), ...changes },
      })),
    discard,
    save,
  };
}

function isEqual(one: NotificationPreferences, other: NotificationPreferences): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** The order of keys has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => one.localeCompare(other));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
