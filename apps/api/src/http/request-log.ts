import type { FastifyBaseLogger } from 'fastify';
import type { Bindings, ChildLoggerOptions } from 'pino';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
type Line = readonly [unknown, ...unknown[]];

/**
 * The log of a request: a child of the service's log, made with its first line. Most requests write only the line about
 * themselves, which needs no child, and making one takes as long as that line.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #made: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }

  trace(...line: Line): void {
    this.#write('trace', line);
  }

  debug(...line: Line): void {
    this.#write('debug', line);
  }

  info(...line: Line): void {
    this.#write('info', line);
  }

  warn(...line: Line): void {
    this.#write('warn', line);
  }

  error(...line: Line): void {
    this.#write('error', line);
  }

  fatal(...line: Line): void {
    this.#write('fatal', line);
  }

  silent(): void {}

  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#own().child(bindings, options);
  }

  #own(): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(this.#bindings));
  }

  #write(level: Level, line: Line): void {
    const log = this.#own();
    Reflect.apply(log[level], log, line);
  }
}
