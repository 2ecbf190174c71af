import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';

/** The half of an item that the dragged one is over. */
export type Edge = 'before' | 'after';

interface DragItem {
  readonly element: HTMLElement;
  /** Items can be dropped on items of the same kind, such as `task`. */
  readonly kind: string;
  readonly id: string;
  /** The drag handle; default: the whole element. */
  readonly handle?: HTMLElement | null | undefined;
  readonly onDragging: (isDragging: boolean) => void;
  /** Called with the side on which another item would be dropped. */
  readonly onEdge: (edge: Edge | null) => void;
}

/**
 * Makes an item of a list draggable and a drop target.
 *
 * @returns a cleanup function
 */
export function dragItem({ element, kind, id, handle, onDragging, onEdge }: DragItem): () => void {
  return combine(
    draggable({
      element,
      ...(handle && { dragHandle: handle }),
      getInitialData: () => ({ kind, id }),
      onDragStart: () => onDragging(true),
      onDrop: () => onDragging(false),
    }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data['kind'] === kind,
      getData: ({ input }) => ({ id, edge: edgeAt(element, input.clientY) }),
      onDrag: ({ self, source }) =>
        onEdge(source.data['id'] === id ? null : asEdge(self.data['edge'])),
      onDragLeave: () => onEdge(null),
      onDrop: () => onEdge(null),
    }),
  );
}

interface DropList {
  readonly element: HTMLElement;
  readonly kind: string;
  /** Name of the list. */
  readonly list: string;
  readonly onOver: (isOver: boolean) => void;
}

/**
 * Makes a list a drop target for items.
 *
 * @returns a cleanup function
 */
export function dropList({ element, kind, list, onOver }: DropList): () => void {
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => source.data['kind'] === kind,
    getData: () => ({ list }),
    onDragEnter: () => onOver(true),
    onDragLeave: () => onOver(false),
    onDrop: () => onOver(false),
  });
}

export interface Drop {
  readonly id: string;
  /** The list that the item was dropped into, if any. */
  readonly list: string | undefined;
  /** The item it was dropped beside; undefined at the end of a list. */
  readonly beside: { readonly id: string; readonly edge: Edge } | undefined;
}

/**
 * Listens to drops of items of a kind.
 *
 * @returns a cleanup function
 */
export function followDrops(kind: string, onDrop: (drop: Drop) => void): () => void {
  return monitorForElements({
    canMonitor: ({ source }) => source.data['kind'] === kind,
    onDrop({ source, location }) {
      const targets = location.current.dropTargets.map(({ data }) => data);
      const id = asText(source.data['id']);
      if (id === undefined || targets.length === 0) return;
      const item = targets.find((data) => 'edge' in data);
      const itemId = asText(item?.['id']);
      const edge = asEdge(item?.['edge']);
      // Dropped on itself: nothing moves.
      if (itemId === id) return;
      onDrop({
        id,
        list: targets.map((data) => asText(data['list'])).find((list) => list !== undefined),
        beside: itemId !== undefined && edge ? { id: itemId, edge } : undefined,
      });
    },
  });
}

function edgeAt(element: HTMLElement, y: number): Edge {
  const { top, height } = element.getBoundingClientRect();
  return y < top + height / 2 ? 'before' : 'after';
}

function asEdge(value: unknown): Edge | null {
  return value === 'before' || value === 'after' ? value : null;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
