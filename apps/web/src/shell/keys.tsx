import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { Toggle } from '../library/toggle.tsx';
import { texts } from '../texts/keys.ts';
import { texts as shell } from '../texts/shell.ts';
import { Dialog } from '../ui/dialog.tsx';
import { singleKeys, switchSingleKeys } from '../ui/single-keys.ts';
import { elsewhere } from '../ui/use-shortcuts.ts';
import { keysHelp } from './keys-state.ts';
import type { Destination } from './navigation.ts';
import { openPalette, paletteKeys } from './palette-state.ts';

const { pages } = shell;

/** What follows `g`. */
const places: Readonly<Record<string, Pick<Destination, 'to' | 'label'>>> = {
  d: { to: '/', label: pages.dashboard },
  n: { to: '/notifications', label: pages.notifications },
  t: { to: '/my-tasks', label: pages.myTasks },
  p: { to: '/projects', label: pages.projects },
  c: { to: '/collections', label: pages.collections },
  f: { to: '/favorites', label: pages.favorites },
  b: { to: '/bin', label: pages.bin },
  m: { to: '/settings/members', label: pages.members },
  s: { to: '/settings/organization', label: pages.organization },
};

/** How long a letter may follow `g`. */
const patienceMs = 2000;

/** Listens to the keys that work on every page, and lists them. */
export default function Keys(): ReactNode {
  const navigate = useNavigate();
  const isOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
  const isHelpOpen = useSyncExternalStore(keysHelp.subscribe, keysHelp.get);
  useEffect(() => {
    if (!isOn) return undefined;
    let leaderAt = -Infinity;
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (ctrlKey || metaKey || altKey || key === 'Shift') return;
      if (target instanceof Element && target.closest(elsewhere)) return;
      const place = timeStamp - leaderAt < patienceMs ? places[key] : undefined;
      leaderAt = key === 'g' ? timeStamp : -Infinity;
      const run = place ? () => void navigate({ to: place.to }) : actions[key];
      if (!run) return;
      // Lists leave it alone then.
      event.preventDefault();
      run();
    }
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isOn, navigate]);
  return isHelpOpen ? <KeysHelp /> : null;
}

const actions: Readonly<Record<string, () => void>> = {
  '?': () => keysHelp.set(true),
  '/': openPalette,
  c: () => document.querySelector<HTMLElement>('main [data-create]')?.click(),
};

const groups: readonly { readonly title: string; readonly keys: readonly KeyLine[] }[] = [
  {
    title: texts.everywhere,
    keys: [
      { keys: [paletteKeys], does: texts.search },
      { keys: ['/'], does: texts.search },
      { keys: ['c'], does: texts.create },
      { keys: ['?'], does: texts.help },
      { keys: ['Esc'], does: texts.close },
    ],
  },
  {
    title: texts.goTo,
    keys: Object.entries(places).map(([key, { label }]) => ({ keys: ['g', key], does: label })),
  },
  {
    title: texts.lists,
    keys: [
      { keys: ['j'], does: texts.next },
      { keys: ['k'], does: texts.previous },
      { keys: ['x'], does: texts.select },
      { keys: ['e'], does: texts.open },
    ],
  },
];

interface KeyLine {
  /** Pressed one after the other. */
  readonly keys: readonly string[];
  readonly does: string;
}

function KeysHelp(): ReactNode {
  const isOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
  return (
    <Dialog isOpen onClose={() => keysHelp.set(false)} title={texts.title} size="md">
      <div className="grid gap-6 pb-2 sm:grid-cols-2">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-2 text-sm font-semibold text-ink-muted">{title}</h3>
            <dl className="flex flex-col gap-1.5">
              {keys.map((line) => (
                <div key={line.keys.join(' ')} className="flex flex-row-reverse items-center gap-3">
                  <dt className="flex items-center gap-1 text-xs text-ink-muted">
                    <KeySequence keys={line.keys} />
                  </dt>
                  <dd className="min-w-0 flex-1">{line.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="mt-4 border-t border-line pt-4 pb-2">
        <Toggle
          label={texts.singleKeys}
          hint={texts.singleKeysHint}
          isOn={isOn}
          onChange={switchSingleKeys}
        />
      </div>
    </Dialog>
  );
}

function KeySequence({ keys }: Pick<KeyLine, 'keys'>): ReactNode {
  return keys.map((key, index) => (
    <span key={key} className="flex items-center gap-1">
      {index > 0 ? <span>{texts.followedBy}</span> : null}
      <kbd className="rounded-sm border border-line bg-surface px-1.5 py-px font-sans">{key}</kbd>
    </span>
  ));
}
