// @module-tag slow

import { beforeEach, describe, expect, test } from 'vitest';
import { assetComments } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { setUpAssetComments } from '../../testing/asset-comments.ts';

const commenting = await setUpAssetComments();
const { addVersion, api, as, markers, newAsset, owner, people, posted, resolve, team } = commenting;
const { organizationId } = team;

let id: string;
beforeEach(async () => {
  id = await newAsset();
  commenting.subject.id = id;
});

describe('markers', () => {
  test('are the comments on times of a version, by time, with the timecode of the frame rate', async () => {
    const at = (startMs: number, more: object = {}) => ({ kind: 'time', startMs, ...more });
    await posted({ body: 'Late', anchor: at(3_723_500) });
    const early = await posted(
      { body: 'Early', anchor: at(12_500, { endMs: 14_000 }) },
      as(people.MEMBER),
    );
    await posted({ body: 'A point', anchor: { kind: 'point', x: 0, y: 0 } });
    await posted({ body: 'A reply', parentId: early });
    await resolve(early, true);
    await addVersion();
    expect((await markers()).body.data).toEqual({ items: [], isComplete: true });
    const { status, body } = await markers({ version: 1, frameRate: 25 });
    expect([status, body.message]).toEqual([200, 'Markers retrieved']);
    expect(body.data).toEqual({
      items: [
        {
          startMs: 12_500,
          endMs: 14_000,
          timecode: '00:00:12:12',
          text: 'Early',
          author: people.MEMBER.email.split('@')[0],
          isResolved: true,
        },
        {
          startMs: 3_723_500,
          endMs: 3_723_500,
          timecode: '01:02:03:12',
          text: 'Late',
          author: owner.email.split('@')[0],
          isResolved: false,
        },
      ],
      isComplete: true,
    });
    const [plain] = (await markers({ version: 1 })).body.data.items;
    expect(plain.timecode).toBe('00:00:12.500');
    for (const frameRate of ['0', '241', '-25', '25fps', '1e3', '']) {
      const refused = await markers({ frameRate });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, ['frameRate']]);
    }
  });

  test('are at most 1,000, the earliest, with short texts', async () => {
    const rows = Array.from({ length: 1_001 }, (_, n) => ({
      organizationId,
      id: newId(),
      assetId: id,
      versionNumber: 1,
      authorId: owner.id,
      body: '🦊'.repeat(600),
      anchor: { kind: 'time' as const, startMs: 1_000_000 - n },
      createdAt: api.clock.now(),
    }));
    await api.db.insert(assetComments).values(rows);
    const { items, isComplete } = (await markers()).body.data;
    expect([items.length, items[0].startMs, isComplete]).toEqual([1_000, 999_000, false]);
    expect(items[0].text).toBe('🦊'.repeat(500));
  });
});
