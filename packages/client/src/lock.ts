/** Runs one task at a time wherever the same tokens are used. */
export type Lock = <T>(task: () => Promise<T>) => Promise<T>;
