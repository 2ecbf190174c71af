import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    runningHandlers: RunningHandlers;
  }
}

/** Counts the handlers that are running. */
class RunningHandlers {
  #count = 0;
  #whenNone = (): void => {};

  async run<Result>(handle: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    try {
      return await handle();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#whenNone();
    }
  }

  /** Resolves when none is running. */
  async none(): Promise<void> {
    if (this.#count === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenNone = resolve;
    await promise;
  }
}

/**
 * Lets the server close only when its handlers have ended. It waits for its connections by itself, but the handler of a
 * client that has gone has none, and what it uses would be taken away.
 */
export function waitForHandlers(app: FastifyInstance): void {
  const handlers = new RunningHandlers();
  app.decorate('runningHandlers', handlers);
  app.addHook('onClose', async () => handlers.none());
}
