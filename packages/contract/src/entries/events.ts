export * from '../activity.ts';
export { closeReasons, LiveEvent, LiveMessage, resetReasons } from '../events.ts';
export type * from '../group.ts';
