import { createStore, type Store } from '../ui/store.ts';
import { failureSince, type ScriptFailure } from './failure.ts';

export type ScriptState<Module> =
  | { readonly status: 'waiting' }
  | { readonly status: 'loaded'; readonly module: Module }
  | { readonly status: 'failed'; readonly failure: ScriptFailure };

/** Code of the app that is loaded on demand. */
export interface Script<Module> {
  readonly state: Pick<Store<ScriptState<Module>>, 'get' | 'subscribe'>;
  /** Loads it, also again after a failure. Never rejects: the state tells the outcome. */
  readonly load: () => Promise<ScriptState<Module>>;
}

/** Declares code that is loaded on demand: once, but again after a failure. */
export function script<Module>(read: () => Promise<Module>): Script<Module> {
  const state = createStore<ScriptState<Module>>({ status: 'waiting' });
  let loading: Promise<ScriptState<Module>> | undefined;

  async function attempt(): Promise<ScriptState<Module>> {
    const startedMs = performance.now();
    try {
      state.set({ status: 'loaded', module: await read() });
    } catch {
      const failure = failureSince(startedMs);
      const before = state.get();
      if (before.status !== 'failed' || before.failure !== failure) {
        state.set({ status: 'failed', failure });
      }
    } finally {
      loading = undefined;
    }
    return state.get();
  }

  return {
    state,
    async load() {
      const known = state.get();
      if (known.status === 'loaded') return known;
      loading ??= attempt();
      return loading;
    },
  };
}
