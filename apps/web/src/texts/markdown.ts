/** Texts of descriptions and comments that are written in Markdown. */
export const texts = {
  task: 'Item of a list',
  table: 'Table',
};
