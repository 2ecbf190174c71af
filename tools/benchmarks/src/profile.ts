import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The profile that V8 writes, with times in microseconds. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const shownFunctions = 45;
const repository = join(import.meta.dirname, '..', '..', '..');

/** Returns the flags with which Node writes a CPU profile when it exits. */
export function profilingFlags(dir: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${dir}`, '--cpu-prof-interval=200'];
}

/**
 * Summarizes a CPU profile by function and by package, as a text table.
 *
 * @param dir - with profiles, of which the newest is read
 * @param lastSeconds - only this time before the end counts, so that the start doesn't
 * @throws Error if there is no profile
 */
export function profileTable(dir: string, lastSeconds: number): string {
  // Each thread writes a profile; the fifth part of its name is the thread, 0 for the main thread.
  const [file] = globSync('CPU.*.*.*.0.*.cpuprofile', { cwd: dir }).toSorted().toReversed();
  if (file === undefined) throw new Error(`No profile in ${dir}.`);
  // Written by the runtime.
  const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as CpuProfile;
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byPlace = new Map<string, number>();
  let total = 0;
  let leftUs = profile.timeDeltas.reduce((sum, delta) => sum + delta, 0);
  for (const [index, id] of profile.samples.entries()) {
    const time = profile.timeDeltas[index] ?? 0;
    leftUs -= time;
    if (leftUs > lastSeconds * 1e6) continue;
    const frame = frames.get(id);
    if (!frame || frame.functionName === '(idle)' || frame.functionName === '(program)') continue;
    const place = placeOf(frame.url);
    const name = `${frame.functionName || '(anonymous)'} ${place}:${frame.lineNumber + 1}`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + time);
    byPlace.set(packageOf(place), (byPlace.get(packageOf(place)) ?? 0) + time);
    total += time;
  }
  return [
    file,
    ...sharesOf(byPlace, total, shownFunctions),
    '',
    ...sharesOf(byFunction, total, shownFunctions),
  ].join('\n');
}

function sharesOf(times: ReadonlyMap<string, number>, total: number, count: number): string[] {
  return [...times]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name, time]) => `${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`);
}

function placeOf(url: string): string {
  if (!url.startsWith('file:')) return url || 'V8';
  return relative(repository, fileURLToPath(url)).replace(/^.*node_modules\//, '');
}

function packageOf(place: string): string {
  if (place.startsWith('apps/') || place.startsWith('packages/')) return place;
  return place.startsWith('@')
    ? place.split('/').slice(0, 2).join('/')
    : (place.split('/')[0] ?? place);
}
