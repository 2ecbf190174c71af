import { globSync, readFileSync } from 'node:fs';
import { licensePlugin, type LicenseInfo } from 'rolldown-license-plugin';

/** Licenses that allow to pass on a bundle with a copy of their text. Another one is a decision for people. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
]);

const rule = '-'.repeat(80);

/**
 * Writes `licenses.txt` beside a bundle: which packages it contains parts of, and their licenses. Fails the build for a license
 * that isn't known to allow that.
 *
 * @param files - globs of the licenses of files that are no modules, such as fonts; each has to find some
 */
export function thirdPartyLicenses(files: readonly string[] = []) {
  return licensePlugin({
    allow: ({ license }) => allowed.has(license),
    failOnViolation: true,
    failOnUnlicensed: true,
    done(packages, context) {
      const source = [...packages.map(entryOf), ...files.flatMap(entriesOfFiles)].join(rule);
      context.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
    },
  });
}

function entryOf({ name, version, license, licenseText }: LicenseInfo): string {
  return entry(`${name} ${version}\nLicense: ${license}`, licenseText);
}

function entriesOfFiles(glob: string): string[] {
  const found = globSync(glob).toSorted();
  if (found.length === 0) throw new Error(`No license file is at ${glob}`);
  return found.map((file) => {
    const [, packagePath = file] = file.split('/node_modules/');
    return entry(packagePath, readFileSync(file, 'utf8'));
  });
}

function entry(title: string, text: string): string {
  return `\n${title}\n\n${text.trim()}\n\n`;
}
