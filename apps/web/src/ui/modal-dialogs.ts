import { createStore } from './store.ts';

/** The open modal dialogs; the last one is on top. All else is hidden behind it and can't be used. */
export const modalDialogs = createStore<readonly HTMLDialogElement[]>([]);

/**
 * Opens a modal dialog.
 *
 * @returns a function that closes it
 */
export function showModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  modalDialogs.set([...modalDialogs.get(), dialog]);
  return () => {
    modalDialogs.set(modalDialogs.get().filter((one) => one !== dialog));
    dialog.close();
  };
}
