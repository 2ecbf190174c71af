/** Parses email addresses separated by commas, semicolons or whitespace, without duplicates. */
export function emailsOf(text: string): readonly string[] {
  const found = text
    .split(/[\s,;]+/)
    // Mail programs copy them as `Ada <ada@example.com>`.
    .map((part) => part.replaceAll(/^[<"']+|[>"']+$/g, '').toLowerCase())
    .filter(Boolean);
  const isNamed = /<[^<>\s]+@[^<>\s]+>/.test(text);
  return [...new Set(isNamed ? found.filter((part) => part.includes('@')) : found)];
}
