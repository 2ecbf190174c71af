/** Addresses of the worker and of what PDFs may need: tables of characters, fonts and decoders of pictures. */
const addresses = import.meta.glob<string>(
  [
    '../../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm',
    '../../node_modules/pdfjs-dist/legacy/build/pdf.worker.min.mjs',
  ],
  { query: '?url', import: 'default', eager: true },
);

const addressOf = new Map(
  Object.entries(addresses).map(([path, address]) => [path.split('/').at(-1), address]),
);

/** Address of the worker that reads PDFs. */
export const workerUrl = addressOf.get('pdf.worker.min.mjs') ?? '';

/** Fetches the others for the worker, which may fetch nothing itself. */
export class BinaryFiles {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const address = addressOf.get(filename);
    if (address === undefined) throw new Error(`${filename} is not here`);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${filename}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
