import type { Operation, Role } from '@atelier/contract';
import type { Input, MockRequest } from '../requests.ts';
import type { MockStorage } from '../storage.ts';
import type { Fields, Store, Stored } from './store.ts';

/** An email that the service would send. */
export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly date: string;
}

/** Everything that a mock remembers. */
export interface State {
  readonly seed: number;
  readonly features: Features;
  readonly store: Store;
  readonly storage: MockStorage;
  readonly mails: Mail[];
  /** First responses, by account, operation and Idempotency-Key. */
  readonly repetitions: Map<string, Repetition>;
  readonly listeners: Set<(activity: Stored) => void>;
  /** Told whose inbox has changed. */
  readonly inboxListeners: Set<(userId: string) => void>;
  /** Base URL of the links of responses. */
  readonly baseUrl: string;
  /** Base URL of the links of mails. */
  readonly appUrl: string;
  /** The account of a token that the mock didn't make; null: there is none. */
  guestId: string | null;
  /** The present time, in milliseconds since 1970. */
  nowMs(): number;
  /** Makes timestamps follow each other in steps, for data of the past; null ends it. */
  simulateTime(time: { readonly startMs: number; readonly stepMs: number } | null): void;
  /** A timestamp later than any before. */
  now(): string;
  /** Creates an id, greater than those before it. */
  newId(): string;
  /** Creates text that can't be guessed from another one. */
  newSecret(): string;
}

interface Repetition {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAtMs: number;
}

/** A request whose input and access are valid. */
export interface Call {
  readonly state: State;
  readonly operation: Operation;
  readonly request: MockRequest;
  readonly input: Input;
  /** Null if the operation is public. */
  readonly caller: Stored | null;
  /** The session of the token; null for a token that the mock didn't make. */
  readonly session: Stored | null;
  /** The API key of the request; null for a session. */
  readonly key: Stored | null;
  /** Null unless the operation is about one. */
  readonly organization: Stored | null;
  readonly role: Role | null;
  /** The records of the targets, by field; a list of ids has none. */
  readonly records: ReadonlyMap<string, Stored>;
  /** Null: what the contract declares; empty: none. */
  activities: NewActivity[] | null;
}

/** An activity to record, of which the rest follows from the call. */
export interface NewActivity {
  readonly action: string;
  readonly resourceId: string;
  readonly resourceName: string;
  readonly changes?: readonly { field: string; from: unknown; to: unknown }[];
  readonly metadata?: Fields;
  /** Default: the caller. */
  readonly actor?: Stored;
  /** Default: that of the call. */
  readonly organizationId?: string | null;
}

/** Who sees a record. */
export interface View {
  readonly state: State;
  /** Null: an anonymous caller. */
  readonly callerId: string | null;
  /** The session of the request. */
  readonly sessionId?: string | null;
}

/** What a group says of an operation beyond the contract. */
export interface OperationRules {
  /** Returns the `data` of the response, in place of what follows from the contract. */
  readonly respond?: (call: Call) => unknown;
  /** The operation finds its records itself, such as one of another organization. */
  readonly findsItsRecords?: true;
  /** Also finds records in the bin. */
  readonly reachesBin?: true;
}

/** What a group says of a kind of record beyond the contract. */
export interface KindRules {
  /** Fields that follow from other records. */
  readonly computed?: Readonly<Record<string, (record: Stored, view: View) => unknown>>;
  /** Fields of which each account has its own value; default false. */
  readonly ofCaller?: readonly string[];
  /** The fields whose values tell the lists that `position` counts in. */
  readonly orderedWithin?: readonly string[];
  /** Whether a list has the record; default: it is of the organization, or else of the caller. */
  readonly isListed?: (record: Stored, call: Call) => boolean;
  /** Refuses values before they are stored. `record` is null for a new one. */
  readonly check?: (call: Call, values: Fields, record: Stored | null) => void;
  /** Adds values to a new record, before it is stored. */
  readonly onCreate?: (call: Call, record: Omit<Stored, 'bin'>) => void;
  /** Follows a change of a stored record. */
  readonly onUpdate?: (call: Call, record: Stored, changed: ReadonlySet<string>) => void;
  /** Refuses, or follows, a deletion. */
  readonly onRemove?: (call: Call, record: Stored) => void;
  /** The name in activities; default: the title, name or email of the record. */
  readonly nameOf?: (record: Stored, state: State) => string;
  /** What activities say besides. */
  readonly metadataOf?: (record: Stored) => Fields;
}

/** What a group says beyond the contract. Groups without such a file follow the contract alone. */
export interface Feature {
  readonly operations?: Readonly<Record<string, OperationRules>>;
  readonly kinds?: Readonly<Record<string, KindRules>>;
}

/** What all groups say. */
export interface Features {
  operation(id: string): OperationRules;
  kind(kind: string): KindRules;
  /** Adds what every mock has. */
  setUp(state: State): void;
  /** Adds sample data that no operation creates alone. */
  addSamples(state: State, owner: { readonly user: Stored; readonly organization: Stored }): void;
}
