import { MockFailure } from '../failure.ts';
import { bodyOf, recordAt } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { textOf } from '../state/store.ts';
import { versionOf } from './contents.ts';

/** The bytes of a JPEG in base64. It isn't decoded. */
function jpegOf(picture: unknown): Uint8Array {
  try {
    const bytes = Uint8Array.from(atob(String(picture)), (character) => character.charCodeAt(0));
    if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-1) === 0xd9) return bytes;
  } catch {
    // No base64.
  }
  throw new MockFailure('cover_invalid');
}

function setCover(call: Call): unknown {
  const { state } = call;
  const asset = recordAt(call, 'params.id');
  const { picture, versionNumber = asset.fields['currentVersion'] } = bodyOf(call);
  const version = versionOf(state, asset.id, Number(versionNumber));
  if (!version) throw new MockFailure('not_found');
  call.activities = [];
  if (version['coverUrl'] === undefined) {
    const isCovered = /^video\/|^application\/pdf$/.test(textOf(version, 'contentType'));
    if (!isCovered) throw new MockFailure('cover_unsupported');
    const path = `/mock-storage/covers/${asset.id}/${Number(versionNumber)}`;
    state.storage.put(path, jpegOf(picture), 'image/jpeg');
    version['coverUrl'] = `${state.baseUrl}${path}`;
  }
  return shown(call, asset);
}

export const covers: Feature = { operations: { 'assets.setCover': { respond: setCover } } };
