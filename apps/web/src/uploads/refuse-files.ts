/**
 * Refuses files that are dragged over the window, unless something takes them: the browser would open them in place of the
 * app.
 *
 * @returns ends it
 */
export function refuseFiles(): () => void {
  function onDragOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  }
  // Ahead of those that take files.
  addEventListener('dragover', onDragOver, true);
  return () => removeEventListener('dragover', onDragOver, true);
}
