import { ImageOff, UploadCloud } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHasRole } from '../../session/account.ts';
import { texts } from '../../texts/collection.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { chooseFiles } from '../../uploads/upload-request.ts';

/** Replaces the assets of an empty collection with an invitation to upload some. */
export default function NoAssets(): ReactNode {
  const mayUpload = useHasRole('MEMBER');
  if (!mayUpload) {
    return (
      <EmptyState icon={ImageOff} title={texts.emptyViewer}>
        {texts.emptyViewerHint}
      </EmptyState>
    );
  }
  return (
    <div className="rounded-xl border-2 border-dashed border-line-strong">
      <EmptyState
        icon={UploadCloud}
        title={texts.empty}
        action={
          <>
            <Button tone="primary" onClick={() => chooseFiles()}>
              {texts.chooseFiles}
            </Button>
            <Button onClick={() => chooseFiles({ isFolder: true })}>{texts.chooseFolder}</Button>
          </>
        }
      >
        {texts.emptyHint}
      </EmptyState>
    </div>
  );
}
