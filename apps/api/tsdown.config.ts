import { defineConfig } from 'tsdown';
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.ts';

// A start of the sources reads some 860 modules, and that is most of it: docs/decisions/0012-runtime-start-and-build.md.
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    worker: 'src/worker.ts',
    migrate: 'src/migrate.ts',
    operator: 'src/operator.ts',
    'passwords-thread': 'src/kernel/passwords-thread.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node26',
  dts: false,
  sourcemap: true,
  fixedExtension: false,
  hash: false,
  // The runtime keeps the text of modules, with two bytes for each character if a single one isn't ASCII. Comments that a
  // bundle keeps aren't escaped.
  outputOptions: { charset: 'ascii', comments: false },
  // The bundle keeps no comments: what they say of licenses is in a file of its own.
  plugins: [thirdPartyLicenses()],
  deps: {
    // They have native parts or find files beside themselves, or are loaded late and by few.
    neverBundle: [
      '@node-rs/argon2',
      'graphile-worker',
      'nodemailer',
      'piscina',
      'sharp',
      /^@opentelemetry\//,
    ],
    alwaysBundle: /./,
  },
  copy: { from: 'src/features/documentation/page/{style.css,script.js}', to: 'dist/page' },
});
