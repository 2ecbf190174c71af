import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface ProcessEntry {
  pid: number;
  parentPid: number;
  command: string;
  /** Distinguishes a process from a later one with the same id; empty if the system does not provide it. */
  startedAt: string;
}

function readLinuxProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces and parentheses.
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
 * Lists the processes that launched this one: npx, pnpm and the shells between them. Killing the outermost leaves
 * the inner ones running, so all of them count as the parent.
 */
function launchers(): ProcessEntry[] {
  const chain: ProcessEntry[] = [];
  let entry = readProcess(process.ppid);
  while (entry !== undefined && entry.pid > 1) {
    if (!isLauncher(entry.command) && !isShellWrapper(entry.command)) break;
    chain.push(entry);
    entry = readProcess(entry.parentPid);
  }
  // An outer shell belongs to the user, who may run this in the background and close the shell.
  while (chain.length > 0 && isShellWrapper(chain.at(-1)?.command ?? '')) chain.pop();
  return chain;
}

function isAlive({ pid, startedAt }: ProcessEntry): boolean {
  return readProcess(pid)?.startedAt === startedAt;
}

const pollIntervalMs = process.platform === 'linux' ? 300 : 2_000;

/**
 * Calls back once when the parent, or a launcher above it, has ended. Standard input can't show that: many
 * environments close it from the start.
 *
 * @returns a cleanup function
 */
export function watchAncestors(onEnded: () => void): () => void {
  const parentPid = process.ppid;
  const chain = launchers();
  const timer = setInterval(() => {
    if (process.ppid === parentPid && chain.every(isAlive)) return;
    clearInterval(timer);
    onEnded();
  }, pollIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
