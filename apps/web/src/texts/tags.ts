/** Texts of the tags and descriptions of assets. */
export const texts = {
  title: 'About this file',
  add: 'Add a description or tags',
  edit: 'Edit',
  editLabel: 'Edit description and tags',
  description: 'Description',
  tooLong: 'Use at most 2,000 characters.',
  tags: 'Tags',
  hint: 'Press Enter or type a comma after each tag.',
  tagTooLong: 'A tag has at most 40 characters.',
  tooMany: 'A file has at most 20 tags.',
  remove: (tag: string) => `Remove the tag ${tag}`,
  show: (tag: string) => `Show files of this collection with the tag ${tag}`,
  filter: 'Tags',
  any: 'Any tags',
  another: 'Add a tag…',
  chosen: 'Chosen tags',
};
