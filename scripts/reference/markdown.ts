/** Renders a Markdown table. */
export function markdownTable(header: readonly string[], rows: readonly string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows.map((cells) => cells.map(escapeCell))];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
