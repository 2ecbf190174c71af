export * from '../access.ts';
