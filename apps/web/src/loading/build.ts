/** Path of the script that the page begins with: it differs for each build, since it names all others. */
export function buildOfPage(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname : '';
}
