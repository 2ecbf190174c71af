import { ApiError } from '@atelier/client';

interface Save<Data> {
  /** Reads the current state. */
  readonly read: () => Promise<{ readonly data: Data; readonly etag: string | null }>;
  /** Whether the state is still the one that the form shows. */
  readonly isSame: (current: Data) => boolean;
  /** Whether the state is already what the form enters: an earlier attempt saved it, and its response was lost. */
  readonly isSaved: (current: Data) => boolean;
  readonly write: (options: { readonly ifMatch: string | undefined }) => Promise<unknown>;
}

/**
 * Saves a form, unless someone else has changed what it shows.
 *
 * @returns whether it was saved
 */
export async function saveUnlessChanged<Data>({
  read,
  isSame,
  isSaved,
  write,
}: Save<Data>): Promise<boolean> {
  const { data, etag } = await read();
  if (isSaved(data)) return true;
  if (!isSame(data)) return false;
  try {
    await write({ ifMatch: etag ?? undefined });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'precondition_failed') return false;
    throw error;
  }
}
