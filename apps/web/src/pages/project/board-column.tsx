import { ChevronsLeftRight, ChevronsRightLeft } from 'lucide-react';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { texts } from '../../texts/project.ts';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { DragAndDrop } from '../../ui/use-drag.ts';
import type { TaskGroup } from './groups.tsx';

interface BoardColumnProps {
  readonly group: TaskGroup;
  readonly drag: DragAndDrop | undefined;
  readonly isCollapsed: boolean;
  readonly onToggle: () => void;
  /** The cards, as items of a list. */
  readonly children: ReactNode;
  /** Shown below the cards. */
  readonly footer?: ReactNode;
}

/** Shows one column of the board; collapsed, it is narrow and still takes cards. */
export function BoardColumn({
  group: { key, name, mark, tasks },
  drag,
  isCollapsed,
  onToggle,
  children,
  footer,
}: BoardColumnProps): ReactNode {
  const id = useId();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!drag || !element) return undefined;
    return drag.dropList({ element, kind: 'task', list: key, onOver: setOver });
  }, [drag, element, key]);
  const toggle = (
    <IconButton
      icon={isCollapsed ? ChevronsLeftRight : ChevronsRightLeft}
      size="sm"
      label={isCollapsed ? texts.expand(name) : texts.collapse(name)}
      aria-expanded={!isCollapsed}
      onClick={onToggle}
    />
  );
  const count = <span className="font-normal text-ink-muted tabular-nums">{tasks.length}</span>;

  return (
    <section
      ref={setElement}
      aria-labelledby={id}
      data-column={key}
      className={classNames(
        'flex shrink-0 snap-start flex-col rounded-xl p-2 sm:snap-align-none',
        isCollapsed ? 'w-11 items-center' : 'w-[82vw] max-w-72 min-w-64 sm:w-auto sm:flex-1',
        isOver ? 'bg-accent-soft' : 'bg-sunken',
      )}
    >
      {isCollapsed ? (
        <>
          {toggle}
          <h2 id={id} className="mt-2 flex items-center gap-2 text-base [writing-mode:vertical-rl]">
            {mark}
            {name}
            {count}
          </h2>
        </>
      ) : (
        <>
          <div className="flex items-center pb-1 pl-1.5">
            <h2 id={id} className="flex min-w-0 flex-1 items-center gap-2 text-base">
              {mark}
              <span className="truncate">{name}</span>
              {count}
            </h2>
            {toggle}
          </div>
          {tasks.length > 0 ? (
            <ul className="flex flex-col gap-2">{children}</ul>
          ) : (
            <p className="rounded-lg border border-dashed border-line px-3 py-5 text-center text-sm text-ink-muted">
              {texts.emptyColumn}
            </p>
          )}
          {footer}
        </>
      )}
    </section>
  );
}
