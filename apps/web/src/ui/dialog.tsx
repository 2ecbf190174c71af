import { X } from 'lucide-react';
import { useEffectEvent, useId, useLayoutEffect, useState, type ReactNode } from 'react';
import { texts } from '../texts/shared.ts';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { LayerProvider } from './layer.tsx';
import { showModal } from './modal-dialogs.ts';
import { useTyped } from './use-typed.ts';

interface DialogProps {
  readonly isOpen: boolean;
  /** Called by the close button, and on Escape and a press on the backdrop unless they would lose what was typed. */
  readonly onClose: () => void;
  /** Only the buttons of its footer close it, since its content would be lost. */
  readonly isClosedByFooterOnly?: boolean | undefined;
  readonly title: ReactNode;
  /** Shows the title to screen readers only. */
  readonly isTitleHidden?: boolean | undefined;
  readonly description?: ReactNode;
  readonly size?: keyof typeof widths | undefined;
  /** Shown beside the title. */
  readonly tools?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, the primary one last. */
  readonly footer?: ReactNode;
}

const widths = {
  xs: 'max-w-72',
  sm: 'max-w-full sm:max-w-md',
  md: 'max-w-full sm:max-w-xl',
  lg: 'max-w-full sm:max-w-4xl',
};

/**
 * Shows a modal dialog. The focus goes to the element with `data-autofocus`, otherwise to the first
 * control, and returns when the dialog closes. Its content is mounted each time it opens.
 */
export function Dialog({ size = 'md', ...props }: DialogProps): ReactNode {
  return props.isOpen ? (
    <Modal
      {...props}
      losesTyped
      className={classNames(
        'm-auto max-h-[min(100dvh-2rem,48rem)] w-[calc(100vw-2rem)] rounded-xl',
        widths[size],
      )}
    />
  ) : null;
}

/** Shows a full-height modal dialog at a side of the window. */
export function Drawer({
  size = 'md',
  side = 'right',
  ...props
}: DialogProps & { readonly side?: 'left' | 'right' | undefined }): ReactNode {
  return props.isOpen ? (
    <Modal
      {...props}
      className={classNames(
        'my-0 h-dvh max-h-none w-full',
        side === 'left' ? 'mr-auto ml-0' : 'mr-0 ml-auto sm:rounded-l-xl',
        widths[size],
      )}
    />
  ) : null;
}

interface ModalProps extends Omit<DialogProps, 'isOpen' | 'size'> {
  /** Escape and a press beside it don't close it while a form in it has what was typed: they may be slips. */
  readonly losesTyped?: boolean;
  readonly className: string;
}

/** Shared by both dialogs; the native element traps the focus. */
function Modal({
  onClose,
  losesTyped = false,
  isClosedByFooterOnly = false,
  title,
  isTitleHidden = false,
  description,
  tools,
  children,
  footer,
  className,
}: ModalProps): ReactNode {
  const id = useId();
  const [element, setElement] = useState<HTMLDialogElement | null>(null);
  // Read before the menu closes, which its selected item does in the same commit.
  const [menuButton] = useState(focusedMenuButton);
  const { onFocus, hasTyped } = useTyped();
  const isKept = () => isClosedByFooterOnly || (losesTyped && hasTyped());
  // Browsers ignore that the first Escape was prevented when it is pressed twice.
  const refuseCloseRequests = useEffectEvent(() =>
    element?.setAttribute('closedby', isKept() ? 'none' : 'closerequest'),
  );

  useLayoutEffect(() => {
    if (!element) return undefined;
    const close = showModal(element);
    refuseCloseRequests();
    // A form may have been emptied since, and the focus may be on nothing in the dialog.
    for (const type of ['input', 'keydown']) addEventListener(type, refuseCloseRequests, true);
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      for (const type of ['input', 'keydown']) removeEventListener(type, refuseCloseRequests, true);
      close();
      // The browser would return the focus to the item of the menu, which has been removed.
      menuButton?.focus();
    };
  }, [element, menuButton]);

  return (
    <dialog
      ref={setElement}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === event.currentTarget && !isKept()) onClose();
      }}
      onFocus={onFocus}
      onMouseDown={(event) => {
        const isBeside = event.target === event.currentTarget && event.button === 0;
        if (isBeside && !isKept()) onClose();
      }}
      className={classNames('bg-raised p-0 text-ink shadow-raised animate-in', className)}
    >
      <LayerProvider value={element}>
        <div className="flex h-full max-h-[inherit] flex-col">
          <header
            className={
              isTitleHidden
                ? 'sr-only'
                : classNames(
                    'flex px-5 pt-4 pb-3',
                    tools ? 'items-center gap-1' : 'items-start gap-4',
                  )
            }
          >
            <div className={tools ? 'whitespace-nowrap' : 'min-w-0 flex-1'}>
              <h2 id={`${id}-title`} className={tools ? '' : 'pt-1 wrap-anywhere'}>
                {title}
              </h2>
              {description ? (
                <div id={`${id}-description`} className="mt-1 text-sm text-ink-muted">
                  {description}
                </div>
              ) : null}
            </div>
            {tools}
            {isTitleHidden || isClosedByFooterOnly ? null : (
              <IconButton icon={X} label={texts.close} onClick={onClose} />
            )}
          </header>
          {children ? (
            <div className="min-h-0 flex-1 overflow-y-auto px-5 py-2">{children}</div>
          ) : null}
          {footer ? (
            <footer className="flex flex-wrap justify-end gap-2 px-5 pt-3 pb-5">{footer}</footer>
          ) : (
            <div className="pb-3" />
          )}
        </div>
      </LayerProvider>
    </dialog>
  );
}

/** Returns the button of the open menu that has the focus. */
function focusedMenuButton(): HTMLElement | null {
  let button: HTMLElement | null = null;
  let menu = document.activeElement?.closest('[role="menu"]');
  while (menu) {
    button = document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
    // The button of a submenu is an item of a menu.
    menu = button?.closest('[role="menu"]');
  }
  return button;
}
