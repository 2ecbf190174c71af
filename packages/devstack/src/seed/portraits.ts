import type { SampleAccounts } from './board.ts';
import { paintLandscape, type Palette } from './landscape.ts';

/** Palettes of the portraits, one for each account. */
const palettes: Readonly<Record<keyof SampleAccounts, Palette>> = {
  demo: {
    sky: [
      [24, 88, 92],
      [250, 214, 160],
    ],
    hills: [
      [86, 140, 128],
      [12, 52, 56],
    ],
    sun: [255, 244, 214],
    seed: 34,
  },
  mara: {
    sky: [
      [92, 52, 110],
      [252, 186, 170],
    ],
    hills: [
      [168, 96, 132],
      [58, 26, 62],
    ],
    sun: [255, 232, 210],
    seed: 55,
  },
  teo: {
    sky: [
      [214, 110, 60],
      [252, 222, 150],
    ],
    hills: [
      [206, 130, 72],
      [92, 40, 24],
    ],
    sun: [255, 246, 216],
    seed: 89,
  },
  yuki: {
    sky: [
      [70, 112, 178],
      [226, 234, 246],
    ],
    hills: [
      [136, 168, 208],
      [30, 54, 98],
    ],
    sun: [255, 255, 250],
    seed: 144,
  },
};

/** Uploads a portrait for every account without a picture. */
export async function seedPortraits(accounts: SampleAccounts, signal: AbortSignal): Promise<void> {
  await Promise.all(
    Object.entries(palettes).map(async ([hand, palette]) => {
      // The keys of the literal are those of its type.
      const { api } = accounts[hand as keyof SampleAccounts];
      if ((await api.auth.user()).avatarUrl !== null) return;
      const picture = paintLandscape(palette, { width: 320, height: 320 });
      const body = { contentType: 'image/png', fileSize: picture.length } as const;
      const { uploadUrl, method, headers, key } = await api.profile.startAvatarUpload({ body });
      const bytes = new Uint8Array(picture);
      const stored = await fetch(uploadUrl, { method, headers, body: bytes, signal });
      await stored.body?.cancel();
      if (!stored.ok)
        throw new Error(`the storage rejected a portrait with status ${stored.status}`);
      await api.profile.completeAvatarUpload({ body: { key } });
    }),
  );
}
