import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesOf, openFile } from '../../../../packages/cli/src/files.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-files-'));
  // Node can't remove a path that is too long.
  onTestFinished(() => void spawnSync('rm', ['-rf', folder]));
  return folder;
}

test("a folder that can't be read is listed itself, and fails when it is opened", async () => {
  const folder = await newFolder();
  const file = join(folder, 'a.txt');
  await writeFile(file, 'a');
  // Its path is too long for the system, which refuses it also to an administrator.
  const near = join(folder, 'far', ...Array<string>(15).fill('n'.repeat(250)));
  const rest = join('m'.repeat(250), 'o'.repeat(250));
  await mkdir(near, { recursive: true });
  expect(spawnSync('mkdir', ['-p', rest], { cwd: near }).status).toBe(0);

  const far = join(near, rest);
  expect(await filesOf([folder])).toEqual([file, far]);
  expect(await filesOf([far, file])).toEqual([far, file]);
  await expect(openFile(far)).rejects.toThrow('ENAMETOOLONG');
});

test('a folder in place of a file has an error of its own', async () => {
  await expect(openFile(await newFolder())).rejects.toThrow('this folder could not be read');
});

test('a path where there is nothing is a wrong command line', async () => {
  const folder = await newFolder();
  const file = join(folder, 'a.txt');
  await writeFile(file, 'a');
  for (const path of [join(folder, 'none'), join(file, 'below')]) {
    await expect(filesOf([path])).rejects.toThrow(`There is no file or folder ${path}.`);
  }
});
