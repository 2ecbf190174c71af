// Bundles for Node and for browsers, and runs the first. A warning is a failure.
//   node webpack.mjs <address of the mock>
import { execFileSync } from 'node:child_process';
import webpack from 'webpack';

const root = import.meta.dirname;
const bundle = (target, entry) => ({
  name: target,
  target,
  mode: 'production',
  context: root,
  entry: `./${entry}`,
  experiments: { outputModule: true },
  output: {
    path: `${root}/webpack`,
    filename: `${entry}`,
    module: true,
    chunkFormat: 'module',
  },
});

webpack([bundle('node20', 'node.mjs'), bundle('web', 'browser.mjs')], (error, stats) => {
  if (error) throw error;
  console.log(stats.toString());
  if (stats.hasErrors() || stats.hasWarnings()) process.exit(1);
  execFileSync(process.execPath, ['webpack/node.mjs', process.argv[2]], {
    cwd: root,
    stdio: 'inherit',
  });
});
