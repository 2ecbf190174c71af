/** The input of the rules. */
export interface SupplyChain {
  /** Text of pnpm-workspace.yaml. */
  readonly workspace: string;
  /** Text of pnpm-lock.yaml. */
  readonly lockfile: string;
  /** Text of the script that CI runs. */
  readonly ci: string;
  /** Every package.json of the workspace by its path. */
  readonly manifests: Readonly<Record<string, Manifest>>;
}

export interface Manifest {
  readonly private?: boolean;
  readonly packageManager?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const minReleaseAgeMinutes = 24 * 60;

/**
 * Lists ways in which unreviewed code could get in.
 *
 * @returns a line for each violated rule
 */
export function supplyChainProblems(chain: SupplyChain): string[] {
  return [
    ...workspaceProblems(chain.workspace),
    ...lockfileProblems(chain.lockfile),
    ...Object.entries(chain.manifests).flatMap(([path, manifest]) => pinProblems(path, manifest)),
    ...(/\binstall\b.*--frozen-lockfile/.test(chain.ci)
      ? []
      : ['CI does not install with --frozen-lockfile']),
    ...(/^pnpm@\d+\.\d+\.\d+$/.test(chain.manifests['package.json']?.packageManager ?? '')
      ? []
      : ['package.json does not pin the package manager']),
  ];
}

function workspaceProblems(text: string): string[] {
  const problems: string[] = [];
  const age = Number(/^minimumReleaseAge: (\d+)$/m.exec(text)?.[1] ?? 0);
  if (age < minReleaseAgeMinutes) {
    problems.push(`minimumReleaseAge is ${age}, not ${minReleaseAgeMinutes} minutes or more`);
  }
  if (/^minimumReleaseAgeExclude:/m.test(text)) problems.push('minimumReleaseAge has exceptions');
  if (!/^allowBuilds:$/m.test(text)) problems.push('no list of allowed build scripts');
  if (/^(?:dangerouslyAllowAllBuilds|neverBuiltDependencies|strictDepBuilds: *false)/m.test(text)) {
    problems.push('build scripts are allowed beyond the list');
  }
  return problems;
}

function lockfileProblems(text: string): string[] {
  // Up to the next section.
  const packages = text.split(/^packages:$/m)[1]?.split(/^(?=\S)/m)[0] ?? '';
  const entries = packages.split(/^ {2}(?=\S)/m).slice(1);
  if (entries.length === 0) return ['the lockfile lists no packages'];
  return entries.flatMap((entry) => {
    const name = entry.split('\n', 1)[0]?.replace(/:$/, '') ?? '';
    const problems: string[] = [];
    if (!/integrity: sha512-/.test(entry)) problems.push(`${name} has no SHA-512 in the lockfile`);
    if (/\b(?:tarball|repo|directory):|git\+|https?:\/\/[^'"\s]*\.t(?:ar\.)?gz/.test(entry)) {
      problems.push(`${name} comes from outside the registry`);
    }
    return problems;
  });
}

const exact = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$|^(?:catalog|workspace):/;

function pinProblems(path: string, manifest: Manifest): string[] {
  const { devDependencies, optionalDependencies } = manifest;
  // Users of a published package need fixes of its dependencies; here, the lockfile pins them.
  const dependencies = manifest.private ? manifest.dependencies : {};
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => `${path}: ${name} is ${version}, not an exact version`);
}
