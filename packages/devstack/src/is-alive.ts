/** Whether a process of this user runs. Another user's has the id of one that ended: what names it is in this user's files. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
