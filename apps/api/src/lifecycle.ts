import { ConfigError, readConfig, type Config } from './config.ts';

/** Reads the configuration of this process; exits with a list of every problem if it is not valid. */
export function configOrExit(env: Readonly<Record<string, string | undefined>>): Config {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/**
 * Calls `stop` once on SIGTERM or SIGINT and then exits; forces the exit after a timeout.
 *
 * @param timeoutMs - how long `stop` may take before the process exits with 1
 */
export function stopOnSignals(stop: () => Promise<void>, timeoutMs: number): void {
  let isStopping = false;
  const onSignal = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), timeoutMs).unref();
    await stop();
    process.exit(0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
