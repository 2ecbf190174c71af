/** Texts about changes that wait for the network. */
export const texts = {
  mark: 'Not sent yet',
  alreadySent: 'That change had been sent already.',
  refused: (reason: string) => `A change was not saved, and has been undone. ${reason}`,
};
