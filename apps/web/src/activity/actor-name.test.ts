import { expect, test } from 'vitest';
import { actorName } from './actor-name.ts';

const ada = { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', name: 'Ada Lovelace' };
const shareId = '019aa4f6-5f70-7182-8394-af1b2c3d4e5f';

test('tells the reader, other people, guests and the service apart', () => {
  expect(actorName({ actor: ada, metadata: {} }, ada.id)).toBe('You');
  expect(actorName({ actor: ada, metadata: {} }, undefined)).toBe('Ada Lovelace');
  expect(actorName({ actor: null, metadata: { shareId } }, ada.id)).toBe('A guest');
  expect(actorName({ actor: null, metadata: {} }, ada.id)).toBe('The system');
});

test('a member who did something to a share is no guest', () => {
  expect(actorName({ actor: ada, metadata: { shareId } }, undefined)).toBe('Ada Lovelace');
});
