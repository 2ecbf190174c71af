/** Texts about uploads that can't be started. */
export const texts = {
  needsNetwork: 'You’re offline. Uploading a file needs the network: try again when it is back.',
  notStarted: 'The upload couldn’t be started.',
};
