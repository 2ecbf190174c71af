import { texts } from '../texts/uploads.ts';

const attribute = 'data-drop-over';

/** Returns the id of the task whose card is under the pointer. */
export function taskUnder(on: EventTarget | null): string | undefined {
  return cardUnder(on)?.dataset['dropTask'];
}

/**
 * Marks the card of a task under the pointer, otherwise the panel or page of the open task: that is where files go
 * wherever else they are dropped.
 *
 * @returns whether there is one
 */
export function markTaskUnder(on: EventTarget | null): boolean {
  const place = cardUnder(on) ?? document.querySelector<HTMLElement>('[data-drop-panel]');
  const next = place?.closest('dialog') ?? place;
  if (!next?.hasAttribute(attribute)) unmarkTasks();
  next?.setAttribute(attribute, texts.dropOnTask(place?.dataset['dropName'] ?? ''));
  return next !== null;
}

export function unmarkTasks(): void {
  for (const marked of document.querySelectorAll(`[${attribute}]`))
    marked.removeAttribute(attribute);
}

function cardUnder(on: EventTarget | null): HTMLElement | null {
  return on instanceof Element ? on.closest<HTMLElement>('[data-drop-task]') : null;
}
