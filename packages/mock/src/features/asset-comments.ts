import { maxMarkers, Person } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { present } from '../state/present.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import { versionOf } from './contents.ts';

/** Returns the comment that a reply replies to, or the comment itself. */
export function threadOf({ store }: State, comment: Stored): Stored {
  return store.find('asset_comment', comment.fields['parentId']) ?? comment;
}

function refuse(path: string, message: string): MockFailure {
  return new MockFailure('validation_failed', {
    errors: [{ in: 'body', path: [path], code: 'is_reply', message }],
  });
}

function prepare(call: Call, { fields }: Pick<Stored, 'fields'>): void {
  const { state } = call;
  const { store } = state;
  const asset = recordAt(call, 'params.id');
  const { parentId, versionNumber, anchor } = bodyOf(call);
  const parent = store.find('asset_comment', parentId);
  if (parentId !== undefined && parent?.fields['assetId'] !== asset.id) {
    throw new MockFailure('not_found');
  }
  if (parent && parent.fields['parentId'] !== null) {
    throw refuse('parentId', 'Invalid parent: it is a reply itself');
  }
  const version =
    parent?.fields['versionNumber'] ?? versionNumber ?? asset.fields['currentVersion'];
  if (!versionOf(state, asset.id, Number(version))) throw new MockFailure('not_found');
  Object.assign(fields, {
    assetId: asset.id,
    parentId: parent?.id ?? null,
    versionNumber: version,
    anchor: anchor ?? null,
    resolvedAt: null,
    resolvedById: null,
  });
}

function resolve(call: Call): unknown {
  const { state } = call;
  const comment = commentAt(call);
  if (comment.fields['parentId'] !== null) {
    throw refuse('isResolved', 'Invalid comment: it is a reply');
  }
  const isResolved = bodyOf(call)['isResolved'] === true;
  call.activities = [];
  if (isResolved !== (comment.fields['resolvedAt'] !== null)) {
    Object.assign(comment.fields, {
      resolvedAt: isResolved ? state.now() : null,
      resolvedById: isResolved ? callerOf(call).id : null,
    });
    const action = isResolved ? 'asset_comment.resolve' : 'asset_comment.reopen';
    call.activities = [activityOn(call, comment, { action })];
  }
  return shown(call, comment);
}

/** @throws MockFailure `not_found` for a comment on another asset */
function commentAt(call: Call): Stored {
  const comment = recordAt(call, 'params.commentId');
  if (comment.fields['assetId'] !== call.input.params['id']) throw new MockFailure('not_found');
  return comment;
}

const two = (value: number) => String(Math.floor(value)).padStart(2, '0');

/** With a frame rate, in whole frames of a whole rate: the mock drops no fractions of NTSC. */
function timecodeOf(ms: number, frameRate: number | null): string {
  const seconds = Math.floor(ms / 1000);
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(':');
  if (frameRate === null) return `${clock}.${String(ms % 1000).padStart(3, '0')}`;
  return `${clock}:${two(((ms % 1000) * frameRate) / 1000)}`;
}

function markers(call: Call): unknown {
  const { state, input } = call;
  const asset = recordAt(call, 'params.id');
  const version = Number(input.query['version'] ?? asset.fields['currentVersion']);
  if (!versionOf(state, asset.id, version)) throw new MockFailure('not_found');
  const frameRate =
    input.query['frameRate'] === undefined ? null : Number(input.query['frameRate']);
  const items = commentsOn(state, asset.id)
    .filter(({ fields }) => fields['versionNumber'] === version)
    .flatMap(({ fields, ownerId }) => {
      const anchor = fields['anchor'] as Fields | null;
      if (anchor?.['kind'] !== 'time') return [];
      const startMs = Number(anchor['startMs']);
      const author = state.store.find('user', ownerId);
      return {
        startMs,
        endMs: Number(anchor['endMs'] ?? startMs),
        timecode: timecodeOf(startMs, frameRate),
        text: textOf(fields, 'body').slice(0, 500),
        author: author ? textOf(author.fields, 'displayName') : textOf(fields, 'guestName'),
        isResolved: fields['resolvedAt'] !== null,
      };
    })
    .toSorted((a, b) => a.startMs - b.startMs);
  return { items: items.slice(0, maxMarkers), isComplete: items.length <= maxMarkers };
}

/** Returns the comments on an asset, oldest first. */
export function commentsOn({ store }: State, assetId: unknown): Stored[] {
  return store.all('asset_comment').filter(({ fields }) => fields['assetId'] === assetId);
}

/** Counts for `commentCount` and `openCommentCount` of an asset. */
export function countComments(state: State, assetId: string, isCounted: 'all' | 'open'): number {
  return commentsOn(state, assetId).filter(
    ({ fields }) =>
      isCounted === 'all' || (fields['parentId'] === null && fields['resolvedAt'] === null),
  ).length;
}

export const assetComments: Feature = {
  operations: {
    'assetComments.markers': { respond: markers },
    'assetComments.resolve': { respond: resolve },
  },
  kinds: {
    asset_comment: {
      isListed: ({ fields }, { input }) => fields['assetId'] === input.params['id'],
      onCreate: prepare,
      computed: {
        isResolved: (comment, { state }) => threadOf(state, comment).fields['resolvedAt'] !== null,
        resolvedAt: (comment, { state }) => threadOf(state, comment).fields['resolvedAt'],
        resolvedBy: (comment, view) => {
          const { resolvedById } = threadOf(view.state, comment).fields;
          const user = view.state.store.find('user', resolvedById);
          return user ? present(user, view, Person) : null;
        },
        guestName: ({ fields }) => fields['guestName'] ?? null,
      },
      check: (call, _values, comment) => {
        if (comment) commentAt(call);
      },
      onRemove: (call, comment) => {
        commentAt(call);
        const { store } = call.state;
        for (const reply of commentsOn(call.state, comment.fields['assetId'])) {
          if (reply.fields['parentId'] === comment.id) store.remove(reply);
        }
      },
      nameOf: ({ fields }, { store }) =>
        textOf(store.find('asset', fields['assetId'])?.fields, 'assetName'),
      metadataOf: ({ fields }) => ({
        assetId: fields['assetId'],
        versionNumber: fields['versionNumber'],
      }),
    },
  },
};
