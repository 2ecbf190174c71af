import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type { Asset, Client } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import { paintLandscape, type Palette } from './landscape.ts';

/** Where samples are created, and until when: the options of each call. */
interface Place {
  /** null = the personal one. */
  readonly organizationId: string | null;
  readonly signal: AbortSignal;
}

interface SampleFile {
  readonly name: string;
  readonly read: () => Promise<Blob>;
}

interface SampleCollection {
  readonly title: string;
  readonly isFavorite?: boolean;
  readonly files: readonly SampleFile[];
  /** Comments on its last file, which is in review. */
  readonly comments?: readonly (readonly [text: string, x: number, y: number])[];
}

const samplesDir = join(import.meta.dirname, '..', '..', 'samples');

const kept = (name: string, type: string): SampleFile => ({
  name,
  read: () => openAsBlob(join(samplesDir, name), { type }),
});

const written = (name: string, type: string, text: string): SampleFile => ({
  name,
  read: () => Promise.resolve(new Blob([text], { type })),
});

const painted = (name: string, palette: Palette): SampleFile => ({
  name,
  read: async () => new Blob([new Uint8Array(paintLandscape(palette))], { type: 'image/png' }),
});

/** Collections of the personal organization. */
export const personalCollections: readonly SampleCollection[] = [
  { title: 'Notes', files: [kept('welcome.md', 'text/markdown')] },
];

/** Collections of the team. */
export const teamCollections: readonly SampleCollection[] = [
  {
    title: 'Wall texts',
    files: [
      written(
        'room-one.md',
        'text/markdown',
        '# Room one: first light\n\nNobody is up but the heron. The hills keep their colour for ten minutes,\nthen they are only hills again.\n',
      ),
      written(
        'room-two.md',
        'text/markdown',
        '# Room two: haze\n\nDistance is a colour. Count the ridges: the last one is forty kilometres away.\n',
      ),
      written(
        'prices.csv',
        'text/csv',
        'size,paper,price\n30 x 20 cm,matte,45\n60 x 40 cm,matte,120\n90 x 60 cm,baryta,260\n',
      ),
    ],
  },
  {
    title: 'Hills at dusk',
    files: [
      painted('plum-evening.png', {
        sky: [
          [58, 48, 92],
          [240, 178, 150],
        ],
        hills: [
          [150, 118, 150],
          [40, 34, 62],
        ],
        sun: [255, 226, 190],
        seed: 3,
      }),
      painted('green-valley.png', {
        sky: [
          [122, 168, 176],
          [232, 232, 206],
        ],
        hills: [
          [146, 176, 160],
          [22, 58, 52],
        ],
        sun: [255, 250, 224],
        seed: 8,
      }),
      painted('red-earth.png', {
        sky: [
          [196, 96, 70],
          [250, 206, 140],
        ],
        hills: [
          [200, 116, 84],
          [72, 28, 30],
        ],
        sun: [255, 238, 200],
        seed: 13,
      }),
      painted('winter-light.png', {
        sky: [
          [132, 158, 192],
          [236, 236, 240],
        ],
        hills: [
          [188, 200, 216],
          [62, 78, 104],
        ],
        sun: [255, 255, 250],
        seed: 21,
      }),
    ],
  },
  {
    title: 'Landscapes',
    comments: [
      ['The ridge is a little soft here. Is there a sharper one?', 0.32, 0.62],
      ['Lovely light — **keep** it as it is.', 0.71, 0.24],
    ],
    isFavorite: true,
    files: [
      kept('evening-ridge.jpg', 'image/jpeg'),
      kept('morning-haze.jpg', 'image/jpeg'),
      kept('northern-dusk.jpg', 'image/jpeg'),
    ],
  },
];

/** A collection of a member of the team, created last. */
export const latestCollections: readonly SampleCollection[] = [
  {
    title: 'Coast walks',
    files: [
      painted('low-tide.png', {
        sky: [
          [86, 150, 196],
          [246, 226, 196],
        ],
        hills: [
          [150, 182, 190],
          [34, 72, 90],
        ],
        sun: [255, 248, 226],
        seed: 5,
      }),
      painted('before-the-storm.png', {
        sky: [
          [48, 62, 84],
          [206, 186, 150],
        ],
        hills: [
          [112, 120, 132],
          [26, 32, 46],
        ],
        sun: [250, 232, 180],
        seed: 11,
      }),
      painted('rose-morning.png', {
        sky: [
          [186, 130, 170],
          [252, 216, 200],
        ],
        hills: [
          [202, 156, 176],
          [88, 52, 84],
        ],
        sun: [255, 242, 228],
        seed: 17,
      }),
    ],
  },
];

/** Creates the missing collections, uploads their missing files, and adds what is missing of their reviews. */
export async function seedLibrary(
  api: Client,
  collections: readonly SampleCollection[],
  place: Place,
): Promise<void> {
  for (const collection of collections) await seedCollection(api, collection, place);
}

async function seedCollection(
  api: Client,
  { title, files, isFavorite = false, comments = [] }: SampleCollection,
  place: Place,
): Promise<void> {
  const { items } = await api.collections.list({ query: { q: title } }, place);
  const { id } =
    items.find((item) => item.title === title) ??
    (await api.collections.create({ body: { title } }, place));
  const names = files.map(({ name }) => name).join('/');
  const stored = await api.assets.listInCollection(
    { params: { collectionId: id }, query: { names } },
    place,
  );
  let last: Asset | undefined;
  for (const { name, read } of files) {
    const target = { ...place, collectionId: id, fileName: name };
    last =
      stored.items.find(({ assetName }) => assetName === name) ??
      (await upload(api, await read(), target).done);
  }
  if (last !== undefined && comments.length > 0) {
    await seedReview(api, { asset: last, comments, place });
  }
  if (isFavorite) await api.collections.favorite({ params: { id }, body: { isFavorite } }, place);
}

async function seedReview(
  api: Client,
  {
    asset: { id, review },
    comments,
    place,
  }: Required<Pick<SampleCollection, 'comments'>> & {
    readonly asset: Asset;
    readonly place: Place;
  },
): Promise<void> {
  const params = { id };
  const { items } = await api.assetComments.list({ params }, place);
  for (const [body, x, y] of comments) {
    if (items.some((comment) => comment.body === body)) continue;
    const comment = { body, anchor: { kind: 'point', x, y } as const };
    await api.assetComments.create({ params, body: comment }, place);
  }
  if (review.status !== 'NONE') return;
  await api.assets.review({ params, body: { status: 'IN_REVIEW' } }, place);
}
