/** How an endpoint starts again that has been enabled: a message every so often in the first minute, then the rest. */
export const pace = { everySeconds: 0.5, firstSeconds: 60 } as const;

/** Messages that enabling an endpoint makes due itself: those of the first minute, and some of the rest. */
export const maxSpreadAtOnce = 200;
