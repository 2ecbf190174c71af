// Loaded into the API before its own code. The channel to the process that started it closes however
// that one ends, even when it is killed; the API then stops in the ordinary way, but never stays.
const graceMs = 10_000;

process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
