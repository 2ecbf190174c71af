import { z } from 'zod/v4';
import { text, verbatimText } from './primitives.ts';

/** Maximum number of tags of an asset. */
export const maxTagsOfAsset = 20;
/** Maximum number of characters of a tag. */
export const maxTagLength = 40;
/** Maximum number of characters of the description of an asset. */
export const maxAssetDescriptionLength = 2_000;
/** Maximum number of suggested tags. */
export const maxSuggestedTags = 20;

/** Returns a tag as it is compared: width and case don't matter. */
export function tagKeyOf(tag: string): string {
  return tag.normalize('NFKC').toLowerCase();
}

/** Returns the keys of tags that a query separates by `,`. */
export function tagKeysIn(query: string): string[] {
  return query.split(',').map((tag) => tagKeyOf(tag.trim()));
}

const Tag = text({ max: maxTagLength }).refine((tag) => !tag.includes(','), {
  error: 'Invalid tag: commas separate tags',
});

export const assetDescription = verbatimText({ min: 0, max: maxAssetDescriptionLength })
  .nullable()
  .optional()
  .describe('At most 2,000 characters; null clears it.');

export const assetTags = z
  .array(Tag)
  .max(maxTagsOfAsset)
  .overwrite(distinctTags)
  .optional()
  .describe(
    'All tags from now on: at most 20 of at most 40 characters, without commas. Of those that differ only in case or width, the first counts.',
  );

function distinctTags(tags: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKeyOf(tag))) byKey.set(tagKeyOf(tag), tag);
  return [...byKey.values()];
}

/** The filter by tags of a list of assets. */
export const tagFilter = text({ max: maxTagsOfAsset * (maxTagLength + 1) })
  .optional()
  .describe('Tags, separated by `,`. Only assets with all of them, in any case.');

export const AssetTags = z
  .object({
    items: z.array(z.object({ tag: z.string(), assetCount: z.int().min(1) })).max(maxSuggestedTags),
  })
  .meta({
    id: 'AssetTags',
    description:
      'Tags of assets with how many of the examined assets have each, the most frequent first.',
    examples: [{ items: [{ tag: 'logo', assetCount: 12 }] }],
  });
export type AssetTags = z.infer<typeof AssetTags>;
