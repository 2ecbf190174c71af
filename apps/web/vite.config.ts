import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, loadEnv, type InlineConfig, type Plugin } from 'vite';
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.ts';

const baseModules =
  /apps\/web\/src\/|node_modules\/(@tanstack|@radix-ui|radix-ui|react|react-dom)\/|packages\/client\//;

/** The API that the development server proxies to. */
const api = 'http://localhost:3000';

const root = import.meta.dirname;
const { VITE_SHELL_WORKER } = loadEnv('production', root);
/** `off` deploys a worker that removes itself, to withdraw a broken one. */
const worker = VITE_SHELL_WORKER === 'off' ? 'withdrawn' : 'worker';

/** Of fonts, and of what the reader of PDFs loads. */
const licensesOfFiles = [
  '@fontsource-variable/inter/LICENSE*',
  'pdfjs-dist/{cmaps,standard_fonts,wasm}/LICENSE*',
].map((files) => join(root, 'node_modules', files));

const buildSettings = {
  target: 'es2022',
  // Browsers that support `light-dark()`: transpiling it for older ones doubles every colour.
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  // The paths under `/assets` are pages of the app.
  assetsDir: '_app',
  // The content security policy blocks `data:` fonts and styles.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  // The reader of PDFs, which is loaded on demand.
  chunkSizeWarningLimit: 600,
} satisfies InlineConfig['build'];

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    shellWorker(),
    visitorPage(),
    thirdPartyLicenses(licensesOfFiles),
  ],
  server: { port: 5173, proxy: { '/api': api, '/s/': api, '/mcp': api, '/health': api } },
  build: {
    ...buildSettings,
    manifest: true,
    rolldownOptions: {
      input: {
        index: join(root, 'index.html'),
        worker: join(root, `worker/${worker}.ts`),
      },
      output: {
        // Browsers look for newer workers at the same address.
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : '_app/[name]-[hash].js'),
        codeSplitting: {
          // In files of their own, the icons of the shell are twice as large.
          groups: [
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
            // Together, what nearly every page loads is smaller than in dozens of files.
            { name: 'base', test: baseModules, minShareCount: 18 },
          ],
        },
      },
    },
  },
});

/**
 * Builds the page that a share link opens, into the same directory but with files of its own: as another entry of the
 * app it would load what all pages of the app have in common.
 */
function visitorPage(): Plugin {
  let outDir = '';
  let logLevel: InlineConfig['logLevel'];
  return {
    name: 'visitor-page',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
      logLevel = config.logLevel;
    },
    async closeBundle() {
      await build({
        root,
        configFile: false,
        logLevel: logLevel ?? 'info',
        plugins: [react(), tailwindcss(), compressed()],
        build: {
          ...buildSettings,
          outDir,
          emptyOutDir: false,
          copyPublicDir: false,
          manifest: '.vite/share.json',
          rolldownOptions: { input: { share: join(root, 'share.html') } },
        },
      });
    },
  };
}

/** Without a network, forms with passwords and PDFs are of no use, and other alphabets are kept when they are used. */
const notKept = /password-strength|pdf|\.(woff2|svg|bcmap|pfb|ttf|wasm)$/;
const keptFont = /inter-latin-wght-normal/;

/** Tells the service worker the files of the build. */
function shellWorker(): Plugin {
  return {
    name: 'shell-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle);
        const built = chunks.find(({ fileName }) => fileName === 'worker.js');
        const entry = chunks.find((one) => one.type === 'chunk' && one.isEntry && one !== built);
        if (built?.type !== 'chunk' || !entry) throw new Error('No worker or no entry was built');
        const names = chunks
          .map(({ fileName }) => fileName)
          .filter((name) => name.startsWith('_app/'));
        const kept = names.filter((name) => keptFont.test(name) || !notKept.test(name));
        const unhashed = ['icon.svg', 'theme.js'];
        const hash = createHash('sha256').update(names.join());
        for (const name of unhashed) hash.update(readFileSync(join(root, 'public', name)));
        const page = bundle['index.html'];
        if (page?.type === 'asset') hash.update(page.source);
        const shell = {
          version: hash.digest('hex').slice(0, 16),
          files: [...unhashed, ...kept].map((name) => `/${name}`),
          entry: `/${entry.fileName}`,
        };
        built.code = built.code.replace('SHELL_OF_BUILD', () => JSON.stringify(shell));
      },
    },
  };
}

/** Writes a `.br` and a `.gz` beside each file of both builds, for servers that send precompressed files. Part of the second. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of globSync('**/*.{css,html,js,mjs,svg,txt}', { cwd: dir })) {
        const file = join(dir, name);
        const text = readFileSync(file);
        const quality = name in bundle ? constants.BROTLI_MAX_QUALITY : usualQuality;
        const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params }));
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}

/** The highest takes twenty times as long and saves only a few percent, which the page of share links has need of. */
const usualQuality = 9;
