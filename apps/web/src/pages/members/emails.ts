/** The addresses of a free text, each once: apart by commas, semicolons, spaces or lines. */
export function emailsOf(text: string): readonly string[] {
  const found = text
    .split(/[\s,;]+/)
    // As mail programs copy them: `Ada <ada@example.com>`.
    .map((part) => part.replaceAll(/^[<"']+|[>"']+$/g, '').toLowerCase())
    .filter(Boolean);
  const isNamed = /<[^<>\s]+@[^<>\s]+>/.test(text);
  return [...new Set(isNamed ? found.filter((part) => part.includes('@')) : found)];
}
