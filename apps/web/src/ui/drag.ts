import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';

/** Half of an item that something is held over. */
export type Edge = 'before' | 'after';

interface DragItem {
  readonly element: HTMLElement;
  /** What may be dropped on each other, such as `task`. */
  readonly kind: string;
  readonly id: string;
  /** Where it is taken hold of; default: anywhere. */
  readonly handle?: HTMLElement | null | undefined;
  readonly onDragging: (isDragging: boolean) => void;
  /** Where something else would be dropped beside it. */
  readonly onEdge: (edge: Edge | null) => void;
}

/** Makes an element of a list one that can be dragged, and dropped beside. Gives back what ends that. */
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

/** Makes an element a list that items can be dropped into. Gives back what ends that. */
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
  /** The list it was dropped into, if into any. */
  readonly list: string | undefined;
  /** The item it was dropped beside; none at the free end of a list. */
  readonly beside: { readonly id: string; readonly edge: Edge } | undefined;
}

/** Tells what is dropped where. Gives back what ends that. */
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
      // Dropped on itself: it stays where it is.
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
