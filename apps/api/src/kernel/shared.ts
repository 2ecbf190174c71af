/**
 * Returns a function that asks once for all who ask at the same time.
 *
 * @param lastsMs - how long a success is the response to others, too, in milliseconds
 */
export function shared<Result>(ask: () => Promise<Result>, lastsMs: number): () => Promise<Result> {
  let asking: Promise<Result> | null = null;
  let answer: { readonly result: Result; readonly at: number } | null = null;

  async function asked(): Promise<Result> {
    const result = await ask();
    answer = { result, at: performance.now() };
    return result;
  }

  return async () => {
    if (answer && performance.now() - answer.at < lastsMs) return answer.result;
    asking ??= asked().finally(() => (asking = null));
    return asking;
  };
}
