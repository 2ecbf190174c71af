import { lazyComponent } from '../loading/component.tsx';
import { NotLoaded } from '../loading/not-loaded.tsx';
import { script } from '../loading/script.ts';

/** Loaded when a PDF is opened, not ahead: it is large. */
export const PdfView = lazyComponent(
  script(() => import('./pdf-view.tsx')),
  (_, state) => <NotLoaded {...state} />,
);
