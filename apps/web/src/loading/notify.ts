import { texts } from '../texts/loading.ts';
import { notify } from '../ui/notices.tsx';
import type { ScriptFailure } from './failure.ts';

/** Says that what was asked for couldn't be loaded; offers the reload after a deployment. */
export function notifyNotLoaded(failure: ScriptFailure): void {
  notify(texts.part[failure], {
    tone: 'info',
    topic: 'loading',
    ...(failure === 'replaced' && {
      isLasting: true,
      action: { label: texts.reload, run: () => location.reload() },
    }),
  });
}
