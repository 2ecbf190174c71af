import type { Asset } from '@atelier/client';
import { createStore } from '../ui/store.ts';
import type { UploadTarget } from './upload-list.ts';

/** A file whose name an asset of the collection already has. */
export interface TakenName {
  readonly file: File;
  /** The newest asset with this name. */
  readonly asset: Asset;
}

/** Files of one batch that wait for the user's decision. */
export interface NameQuestion {
  readonly id: number;
  readonly target: UploadTarget;
  readonly taken: readonly TakenName[];
}

/** Open questions, oldest first; only the first is shown. */
export const nameQuestions = createStore<readonly NameQuestion[]>([]);
