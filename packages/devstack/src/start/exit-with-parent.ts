// Preloaded into the API. The channel to the parent process closes when the parent ends, even by a kill; the API
// then shuts down gracefully, and is killed if that takes too long.
const graceMs = 10_000;

process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
