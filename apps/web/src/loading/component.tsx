import { use, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type { ScriptFailure } from './failure.ts';
import type { Script } from './script.ts';

/** A component whose code is loaded on demand. */
export interface LazyComponent<Props> {
  (props: Props): ReactNode;
  /** Loads the code ahead. */
  readonly preload: () => Promise<void>;
}

export interface NotLoadedState {
  readonly failure: ScriptFailure;
  readonly onRetry: () => void;
}

/** Renders what stands in for a component that couldn't be loaded. */
export type Substitute<Props> = (props: Props, state: NotLoadedState) => ReactNode;

const scripts = new WeakMap<object, Script<unknown>>();

/** Returns the code of a component that is loaded on demand; undefined for others. */
export function scriptOf(component: unknown): Script<unknown> | undefined {
  return typeof component === 'function' ? scripts.get(component) : undefined;
}

/** Renders a component once its code is loaded; until then it suspends. */
export function lazyComponent<Props extends object>(
  code: Script<{ readonly default: ComponentType<Props> }>,
  substitute: Substitute<Props>,
): LazyComponent<Props> {
  function Lazy(props: Props): ReactNode {
    const state = useSyncExternalStore(code.state.subscribe, code.state.get);
    if (state.status === 'failed') {
      return substitute(props, { failure: state.failure, onRetry: () => void code.load() });
    }
    if (state.status === 'waiting') use(loading());
    const loaded = code.state.get();
    return loaded.status === 'loaded' ? <loaded.module.default {...props} /> : null;
  }

  let pending: Promise<unknown> | undefined;
  /** `use` needs the same promise in each render. */
  function loading(): Promise<unknown> {
    pending ??= code.load().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  scripts.set(Lazy, code);
  return Object.assign(Lazy, {
    async preload() {
      await code.load();
    },
  });
}
