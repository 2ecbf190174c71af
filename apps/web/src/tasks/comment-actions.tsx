import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

interface CommentActionsProps {
  readonly words: {
    readonly edit: string;
    readonly delete: string;
    readonly deleteTitle: string;
    readonly deleteHint: string;
  };
  readonly label: string;
  /** Null: the user may only delete it. */
  readonly onEdit: (() => void) | null;
  readonly onDelete: () => void;
}

/** The menu of a comment, on a task or an asset. It asks before it deletes. */
export function CommentActions({ words, label, onEdit, onDelete }: CommentActionsProps): ReactNode {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Menu trigger={<IconButton icon={MoreHorizontal} size="sm" label={label} />}>
        {onEdit ? (
          <MenuItem icon={Pencil} onSelect={onEdit}>
            {words.edit}
          </MenuItem>
        ) : null}
        <MenuItem icon={Trash2} tone="danger" onSelect={() => setConfirming(true)}>
          {words.delete}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.deleteTitle}
        action={words.delete}
        onConfirm={() => {
          setConfirming(false);
          onDelete();
        }}
      >
        <p>{words.deleteHint}</p>
      </ConfirmDialog>
    </>
  );
}
