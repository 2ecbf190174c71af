/** Firefox begins a download after the click. */
const addressLifetimeMs = 60_000;

/** Saves what the page has made as a file, through a link that has its address for a minute. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), addressLifetimeMs);
}
