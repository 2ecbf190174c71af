/**
 * Returns the text with the box of a task list item checked or not.
 *
 * @param offset - where the item begins
 */
export function withTask(
  text: string,
  { offset, isChecked }: { readonly offset: number; readonly isChecked: boolean },
): string {
  const item = text.slice(offset);
  const box = /^(?:[-*+]|\d+[.)])\s+\[([ \txX\r\n])\]/.exec(item);
  if (!box) return text;
  const at = offset + box[0].length - 2;
  return `${text.slice(0, at)}${isChecked ? 'x' : ' '}${text.slice(at + 1)}`;
}
