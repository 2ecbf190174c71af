import type { ReactNode } from 'react';
import { MarkLayer } from '../review/mark-layer.tsx';
import { shownKindOf, useSharedComments, type CommentedAsset } from './use-shared-comments.ts';

/** Shows the places of the open comments on a file of a share. */
export default function SharedMarks(props: CommentedAsset): ReactNode {
  const { items } = useSharedComments(props);
  return (
    <MarkLayer
      assetId={props.asset.id}
      isPdf={shownKindOf(props) === 'pdf'}
      comments={items.filter(
        ({ isOnShownVersion, isResolved, parentId }) =>
          isOnShownVersion && !isResolved && parentId === null,
      )}
    />
  );
}
