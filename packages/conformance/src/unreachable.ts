/** An address of webhooks whose name never resolves. */
export const unreachable = 'https://webhooks.invalid/';
