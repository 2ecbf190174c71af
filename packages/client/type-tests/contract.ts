import type { EndpointOf, OperationId as ContractId } from '@atelier/contract';
import type { z } from 'zod';
import type { Operations } from '../src/index.ts';

/** Whether two types are the same, optional marks included. */
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type In<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;
type Field<Owner, Name extends PropertyKey> = Owner extends { [N in Name]: infer Value }
  ? Value
  : never;

/** Parsed values of path and query, optional where the input is. */
type Values<Input, Output> = {
  [Name in keyof Input]: Name extends keyof Output
    ? undefined extends Input[Name]
      ? Output[Name] | undefined
      : Output[Name]
    : never;
};

/** The parts of an operation in the contract; never if it has no such part. */
interface Declared<K extends ContractId> {
  params: Values<In<Field<EndpointOf<K>, 'pathParams'>>, Out<Field<EndpointOf<K>, 'pathParams'>>>;
  query: Values<In<Field<EndpointOf<K>, 'query'>>, Out<Field<EndpointOf<K>, 'query'>>>;
  body: In<Field<EndpointOf<K>, 'body'>>;
  data: Field<EndpointOf<K>, 'metadata'> extends { success: { data: infer Data } }
    ? Data extends z.ZodType
      ? z.output<Data>
      : undefined
    : never;
}

/** The parts of an operation in the generated types, without the optionality of the whole part. */
type Generated<K extends keyof Operations, Part extends string> = Part extends keyof Operations[K]
  ? Part extends 'data'
    ? Operations[K][Part]
    : unknown extends Operations[K][Part]
      ? unknown
      : Exclude<Operations[K][Part], undefined>
  : never;

type Stripped<Value> = unknown extends Value ? unknown : Exclude<Value, undefined>;

/** Names of the operations whose part differs; never when all are equal. */
type Differing<Part extends 'params' | 'query' | 'body'> = {
  [K in ContractId]: Equal<Generated<K, Part>, Stripped<Declared<K>[Part]>> extends true
    ? never
    : K;
}[ContractId];
type DifferingData = {
  [K in ContractId]: Equal<Generated<K, 'data'>, Declared<K>['data']> extends true ? never : K;
}[ContractId];

export const sameOperations: Equal<keyof Operations, ContractId> = true;
export const sameParams: Equal<Differing<'params'>, never> = true;
export const sameQueries: Equal<Differing<'query'>, never> = true;
export const sameBodies: Equal<Differing<'body'>, never> = true;
export const sameData: Equal<DifferingData, never> = true;

// The comparison detects a different type, an optional mark, or a missing field.
export const seesType: Equal<{ a: string }, { a: number }> = false;
export const seesOptional: Equal<{ a?: string }, { a: string }> = false;
export const seesUndefined: Equal<{ a?: string }, { a?: string | undefined }> = false;
export const seesMissing: Equal<{ a: string }, { a: string; b: string }> = false;
export const seesContract: Equal<
  Declared<'tasks.get'>['data'],
  Operations['projects.get']['data']
> = false;
export const hasQuery: Equal<Declared<'tasks.list'>['query'], never> = false;
