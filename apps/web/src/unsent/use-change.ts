import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useOrganizationId } from '../session/selected-organization.ts';
import type { ChangeKind, UnsentChange } from './change.ts';
import { notifyRefused, reportTo } from './declare.ts';
import { changeKey } from './pending.ts';
import { currentSession } from './session-mark.ts';

export interface ChangeHandlers<Input, Data> {
  readonly onDone?: ((data: Data, input: Input) => void) | undefined;
  /** Default: a notification, which also follows when the component is gone. */
  readonly onFailed?: ((error: Error, input: Input) => void) | undefined;
  /** Takes back what was typed when the change fails, also when the component is gone. */
  readonly onUndone?: ((input: Input) => void) | undefined;
}

interface ChangeMutation<Input, Data> {
  readonly mutate: (input: Input) => void;
  readonly mutateAsync: (input: Input) => Promise<Data>;
  readonly isPending: boolean;
}

/** Makes changes of the selected organization that survive a lost network. */
export function useChange<Input, Data>(
  change: ChangeKind<Input, Data>,
  { onDone, onFailed, onUndone }: ChangeHandlers<Input, Data> = {},
): ChangeMutation<Input, Data> {
  const organizationId = useOrganizationId();
  const isMounted = useIsMounted();
  const mutation = useMutation<Data, Error, UnsentChange<Input>>(
    { mutationKey: changeKey(change.name) },
    useQueryClient(),
  );

  async function mutateAsync(input: Input): Promise<Data> {
    const idempotencyKey = crypto.randomUUID();
    const unsent = { input, organizationId, idempotencyKey, session: currentSession() };
    reportTo(unsent, (error) => {
      onUndone?.(input);
      if (onFailed && isMounted.current) onFailed(error, input);
      else notifyRefused(error);
    });
    const data = await mutation.mutateAsync(unsent);
    if (isMounted.current) onDone?.(data, input);
    return data;
  }

  return {
    mutate: (input) => void mutateAsync(input).catch(() => {}),
    mutateAsync,
    isPending: mutation.isPending,
  };
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
