import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface ProcessEntry {
  pid: number;
  parentPid: number;
  command: string;
  /** Tells a process from a later one with the same id; empty where the system doesn't say. */
  startedAt: string;
}

function readLinuxProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, even spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parentPid: Number(fields[1]), command, startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function readListedProcess(pid: number): ProcessEntry | undefined {
  try {
    const format = ['-o', 'ppid=', '-o', 'lstart=', '-o', 'command='];
    const listed = execFileSync('ps', [...format, '-p', String(pid)], { encoding: 'utf8' });
    const [, parentPid, startedAt = '', command = ''] =
      /^\s*(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)/.exec(listed) ?? [];
    return { pid, parentPid: Number(parentPid), command, startedAt };
  } catch {
    return undefined;
  }
}

function readProcess(pid: number): ProcessEntry | undefined {
  if (process.platform === 'linux') return readLinuxProcess(pid);
  return process.platform === 'win32' ? undefined : readListedProcess(pid);
}

const isLauncher = (command: string): boolean =>
  /^(\S*\/)?(node|npm|npx|pnpm)(\s|$)|\bpnpm(\.c?js|\.mjs)?\b/.test(command);
const isShellWrapper = (command: string): boolean =>
  /^(\S*\/)?(sh|bash|dash|zsh)\s+(-\w+\s+)*-\w*c\s/.test(command);

/**
 * The processes that this one was started through: npx, pnpm and the shells between them. Killing the
 * outermost leaves the inner ones running, so all of them count as the parent.
 */
function launchers(): ProcessEntry[] {
  const chain: ProcessEntry[] = [];
  let entry = readProcess(process.ppid);
  while (entry !== undefined && entry.pid > 1) {
    if (!isLauncher(entry.command) && !isShellWrapper(entry.command)) break;
    chain.push(entry);
    entry = readProcess(entry.parentPid);
  }
  // A shell outside of them is somebody's own, and may leave this running in the background.
  while (chain.length > 0 && isShellWrapper(chain.at(-1)?.command ?? '')) chain.pop();
  return chain;
}

function isStillThere({ pid, startedAt }: ProcessEntry): boolean {
  return readProcess(pid)?.startedAt === startedAt;
}

const lookIntervalMs = process.platform === 'linux' ? 300 : 2_000;

/**
 * Calls back once when the parent, or a program further up that started it, has vanished. Standard
 * input says nothing about that: it is closed from the start in many places.
 *
 * @returns stops watching
 */
export function watchAncestors(onVanished: () => void): () => void {
  const parentPid = process.ppid;
  const chain = launchers();
  const timer = setInterval(() => {
    if (process.ppid === parentPid && chain.every(isStillThere)) return;
    clearInterval(timer);
    onVanished();
  }, lookIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
