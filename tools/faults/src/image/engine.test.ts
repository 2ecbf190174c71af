import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const image = join(import.meta.dirname, '..', '..', 'image.ts');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'atelier-engine-'));
  for (const name of ['bin', 'tmp']) mkdirSync(join(directory, name));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the check with only the programs of the directory `bin`. */
function checkImage() {
  const env = { PATH: join(directory, 'bin'), TMPDIR: join(directory, 'tmp') };
  return new Promise((resolve) =>
    execFile(process.execPath, [image], { env }, (error, stdout, stderr) =>
      resolve({
        code: error?.code ?? 0,
        stdout,
        stderr,
        left: readdirSync(join(directory, 'tmp')),
      }),
    ),
  );
}

const refusal = {
  code: 2,
  stdout: '',
  stderr: expect.stringMatching(
    /^No container engine responds: .+ apt-get install podman buildah\n$/,
  ),
  left: [],
};

test('without a container engine the image check starts nothing, says so and exits with 2', async () => {
  expect(await checkImage()).toEqual(refusal);
});

test('an installed engine that does not respond counts as none', async () => {
  const docker = join(directory, 'bin', 'docker');
  writeFileSync(docker, '#!/bin/sh\necho "Is the docker daemon running?" >&2\nexit 1\n');
  chmodSync(docker, 0o755);
  expect(await checkImage()).toEqual(refusal);
});
