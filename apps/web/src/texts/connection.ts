/** Texts of the bar about the network. */
export const texts = {
  offline: 'Offline',
  unreachable: 'The server can’t be reached',
  noAccount: 'Your account couldn’t be loaded. Trying again…',
  asOf: (time: string) => `· As of ${time}`,
  unsent: (count: number) =>
    count === 1 ? '1 change waits to be sent' : `${count} changes wait to be sent`,
};
