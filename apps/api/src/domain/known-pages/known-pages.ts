import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';
import { sentOften } from '../../kernel/sent-often.ts';
import type { PersonRow } from '../person-view/present.ts';
import { stateOf, stateOfSeveral, type State } from './queries.ts';

/** A page as it was read: what the list responds, and the people whose rows that shows. */
export interface ReadPage<Shown extends object> {
  readonly shown: Shown;
  readonly people: readonly PersonRow[];
}

export interface PageOfList<Shown extends object> {
  readonly organizationId: string;
  /** Of the list: with the same key in an organization, equal rows give equal pages to all who ask. */
  readonly key: string;
  /** Reads the page, with statements that begin after this call. */
  read(): Promise<ReadPage<Shown>>;
}

/** A state before which all that a page shows had ended. */
type Horizon = Pick<State, 'run' | 'nextUnsettled'>;

interface Reading {
  readonly horizon: Horizon;
  /** Resolves also when the page could not be read. */
  readonly ended: Promise<unknown>;
}

interface KnownPage<Shown> {
  readonly shown: Shown;
  readonly horizon: Horizon;
  readonly personIds: readonly string[];
  /** The rows of those people, as JSON. */
  readonly people: string;
}

/** What isn't read by activities, such as a label that a migration renames, is shown after this time. */
const lastsMs = 60_000;
/** How often a request waits for the page of another, which something may have changed meanwhile, before it reads its own. */
const maxWaits = 2;
/** What the runtime holds for each byte of a page as JSON, and for its entry, measured. */
const bytesFor = { jsonByte: 3, entry: 2_000 };

/**
 * Keeps pages of lists while nothing changes in their organization. Every change records an activity in its transaction, so
 * one look-up tells whether a page is still what its list shows: all activities are of transactions that had ended
 * before the page was read. People change without activities of the organization; their rows are compared.
 *
 * Requests of a page that is being read wait for it, unless something has changed since that began: after a change, all
 * who look at a board request the same page at once.
 *
 * @see docs/decisions/0110-known-pages.md
 */
export function knownPages<Shown extends object>({ quickDb, isDistributed, config }: PagesDeps) {
  const pages = new LRUCache<string, KnownPage<Shown>>({
    // The library refuses none at all.
    maxSize: Math.max(config.KNOWN_PAGES_MAX_BYTES, 1),
    ttl: lastsMs,
  });
  const underWay = new Map<string, Reading>();
  const keepsNone = config.KNOWN_PAGES_MAX_BYTES === 0;

  async function keptOrState(page: PageOfList<Shown>, name: string) {
    const known = pages.get(name);
    const { organizationId } = page;
    const of = { organizationId, personIds: known?.personIds ?? [] };
    const state = await ((await isDistributed()) ? stateOfSeveral : stateOf)(quickDb, of);
    const isCurrent =
      known && hasAllOf(known.horizon, state) && known.people === textOf(state.people);
    return { known, state, kept: isCurrent ? known.shown : null };
  }

  function readAndKeep(page: PageOfList<Shown>, name: string, horizon: Horizon): Promise<Shown> {
    const reading = page.read().then(({ shown, people }) => {
      const everyone = distinct(people);
      const entry = {
        shown: sentOften(shown),
        horizon,
        personIds: everyone.map(({ id }) => id),
        people: textOf(everyone),
      };
      if (isAfter(pages.peek(name)?.horizon, horizon)) return shown;
      pages.set(name, entry, {
        size: bytesFor.entry + bytesFor.jsonByte * Buffer.byteLength(JSON.stringify(shown)),
      });
      return shown;
    });
    const forget = () => {
      if (underWay.get(name) === own) underWay.delete(name);
    };
    const own: Reading = { horizon, ended: reading.then(forget, forget) };
    underWay.set(name, own);
    return reading;
  }

  /** Waits for the page of another request, if it has all of this state; null if there is none. */
  function otherPage(
    name: string,
    { known, state }: { known: KnownPage<Shown> | undefined; state: State },
  ): Promise<unknown> | null {
    const kept = pages.get(name);
    if (kept && kept !== known && hasAllOf(kept.horizon, state)) return Promise.resolve();
    const reading = underWay.get(name);
    return reading && hasAllOf(reading.horizon, state) ? reading.ended : null;
  }

  return {
    /** Returns a page as it is now: one that is known, or one that it reads. */
    async find(page: PageOfList<Shown>): Promise<Shown> {
      if (keepsNone) return (await page.read()).shown;
      const name = `${page.organizationId} ${page.key}`;
      for (let waits = 0; ; waits += 1) {
        const { known, state, kept } = await keptOrState(page, name);
        if (kept !== null) return kept;
        const other = waits < maxWaits ? otherPage(name, { known, state }) : null;
        if (other === null) return readAndKeep(page, name, state);
        await other;
      }
    },

    bytes: () => pages.calculatedSize,
  };
}

type PagesDeps = Pick<Deps, 'quickDb' | 'isDistributed'> & {
  readonly config: Pick<Deps['config'], 'KNOWN_PAGES_MAX_BYTES'>;
};

/** Tells whether everything that has changed until this state was there before the horizon. */
function hasAllOf(horizon: Horizon, { run, lastChange, nextUnsettled }: State): boolean {
  return (
    run === horizon.run &&
    lastChange < horizon.nextUnsettled &&
    // A state from before the horizon tells nothing of what changed until then.
    nextUnsettled >= horizon.nextUnsettled
  );
}

function isAfter(one: Horizon | undefined, other: Horizon): boolean {
  return one?.run === other.run && one.nextUnsettled > other.nextUnsettled;
}

function distinct(people: readonly PersonRow[]): PersonRow[] {
  const byId = new Map(people.map((person) => [person.id, person]));
  return [...byId.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

const textOf = (people: readonly PersonRow[]): string => JSON.stringify(people);
