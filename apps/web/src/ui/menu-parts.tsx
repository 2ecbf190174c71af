import { Check, ChevronRight, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import { useEffect, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useLayer } from './layer.tsx';
import { openMenus } from './open-menus.ts';

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly children: ReactNode;
}

const contentClass = classNames(
  'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto',
  'rounded-lg border border-line bg-raised p-1 shadow-raised animate-in',
);

/** A menu that starts open, since it is loaded on the first click. */
export function Menu({ trigger, align = 'end', children }: MenuProps): ReactNode {
  const layer = useLayer();
  return (
    // Modal menus add style elements, which the content security policy blocks.
    <Primitive.Root modal={false} defaultOpen>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal container={layer}>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={contentClass}
        >
          <MenuIsOpen />
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function MenuIsOpen(): ReactNode {
  useEffect(() => {
    openMenus.set(openMenus.get() + 1);
    return () => openMenus.set(openMenus.get() - 1);
  }, []);
  return null;
}

const itemClass = classNames(
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1 text-base outline-none select-none',
  'data-[disabled]:opacity-50 data-[highlighted]:bg-hover',
);

interface MenuItemProps {
  readonly icon?: LucideIcon | undefined;
  readonly tone?: 'danger' | undefined;
  readonly onSelect?: (() => void) | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Renders the child, such as a link, as the item. */
  readonly asChild?: boolean | undefined;
  readonly children: ReactNode;
}

export function MenuItem({
  icon: Icon,
  tone,
  onSelect,
  isDisabled = false,
  asChild = false,
  children,
}: MenuItemProps): ReactNode {
  return (
    <Primitive.Item
      asChild={asChild}
      disabled={isDisabled}
      onSelect={onSelect}
      className={classNames(itemClass, tone === 'danger' && 'text-danger')}
    >
      {asChild ? (
        children
      ) : (
        <>
          {Icon ? <Icon aria-hidden className="size-4 shrink-0 opacity-80" /> : null}
          <span className="min-w-0 flex-1 truncate">{children}</span>
        </>
      )}
    </Primitive.Item>
  );
}

export interface MenuRadioGroupProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly icon?: LucideIcon;
  }[];
}

/** A group of options with a check mark at the selected one. */
export function MenuRadioGroup<Value extends string>({
  value,
  onChange,
  options,
}: MenuRadioGroupProps<Value>): ReactNode {
  return (
    <Primitive.RadioGroup value={value}>
      {options.map(({ value: option, label, icon: Icon }) => (
        <Primitive.RadioItem
          key={option}
          value={option}
          onSelect={() => onChange(option)}
          className={itemClass}
        >
          {Icon ? <Icon aria-hidden className="size-4 shrink-0 opacity-80" /> : null}
          <span className="min-w-0 flex-1 truncate">{label}</span>
          <Primitive.ItemIndicator>
            <Check aria-hidden className="size-4 text-accent" />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}

interface MenuCheckItemProps {
  readonly isChecked: boolean;
  readonly onChange: () => void;
  /** Decorative. */
  readonly mark?: ReactNode;
  readonly children: ReactNode;
}

/** An option that is switched on and off; the menu stays open. */
export function MenuCheckItem({
  isChecked,
  onChange,
  mark,
  children,
}: MenuCheckItemProps): ReactNode {
  return (
    <Primitive.CheckboxItem
      checked={isChecked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={itemClass}
    >
      {mark}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <Primitive.ItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </Primitive.ItemIndicator>
    </Primitive.CheckboxItem>
  );
}

interface SubmenuProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly children: ReactNode;
}

/** A menu beside an item. */
export function Submenu({ icon: Icon, label, children }: SubmenuProps): ReactNode {
  return (
    <Primitive.Sub>
      <Primitive.SubTrigger className={classNames(itemClass, 'data-[state=open]:bg-hover')}>
        <Icon aria-hidden className="size-4 shrink-0 opacity-80" />
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <ChevronRight aria-hidden className="size-4 text-ink-muted" />
      </Primitive.SubTrigger>
      <Primitive.Portal container={useLayer()}>
        <Primitive.SubContent sideOffset={4} collisionPadding={8} className={contentClass}>
          {children}
        </Primitive.SubContent>
      </Primitive.Portal>
    </Primitive.Sub>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Primitive.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-ink-muted">
      {children}
    </Primitive.Label>
  );
}

export function MenuSeparator(): ReactNode {
  return <Primitive.Separator className="my-1 h-px bg-line" />;
}
