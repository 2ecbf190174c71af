const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Cleans up if the program is interrupted, which ends it as ever, or exits before it is done.
 *
 * @param cleanUp - can't be asynchronous
 * @returns a function that stops waiting for it
 */
export function atInterruption(cleanUp: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    release();
    cleanUp();
    // Without the listener, the signal ends the program as it would have.
    process.kill(process.pid, signal);
  };
  const release = () => {
    process.removeListener('exit', cleanUp);
    for (const signal of endingSignals) process.removeListener(signal, onSignal);
  };
  process.on('exit', cleanUp);
  for (const signal of endingSignals) process.on(signal, onSignal);
  return release;
}
